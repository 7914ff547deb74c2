import FleetModel
import Testing

@testable import metafleet

@Suite struct SinceTests {
  @Test(arguments: [
    ("1970-01-01", 0), ("2026-11-20", 1_795_132_800), ("2024-02-29T12:30", 1_709_209_800),
    ("2026-11-20T10:30:05Z", 1_795_170_605), ("2000-03-01T00:00:00", 951_868_800),
  ])
  func `a date is one in UTC`(text: String, seconds: Int64) {
    #expect(Since(argument: text) == .at(Timestamp(milliseconds: seconds * 1_000)))
  }

  @Test func `a duration is so long ago`() {
    let now = Timestamp(milliseconds: 86_400_000)
    #expect(Since(argument: "1d")?.time(now: now) == Timestamp(milliseconds: 0))
  }

  @Test(arguments: [
    "", "yesterday", "2026-13-01", "2026-11", "2026-11-20T25:00", "2026-11-20T10", "2026-11-20T1:2:3:4",
  ])
  func `anything else is refused`(text: String) {
    #expect(Since(argument: text) == nil)
  }
}
