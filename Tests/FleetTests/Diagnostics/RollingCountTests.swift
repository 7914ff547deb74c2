import Testing

@testable import Fleet

@Suite struct RollingCountTests {
  private func hours(_ hours: Int) -> Duration { .seconds(hours * 3_600) }

  @Test func `counts what happened`() {
    var count = RollingCount()
    #expect(count.value(at: .zero) == 0)
    count.add(at: .zero)
    count.add(5, at: .seconds(10))
    #expect(count.value(at: .seconds(20)) == 6)
  }

  @Test func `forgets after a day`() {
    var count = RollingCount()
    count.add(at: .zero)
    count.add(10, at: hours(12))
    #expect(count.value(at: hours(23)) == 11)
    #expect(count.value(at: hours(24)) == 10)
    #expect(count.value(at: hours(36)) == 0)
  }

  @Test func `one event an hour, for a year: always a day's worth, and no more is kept`() {
    var count = RollingCount()
    for hour in 0..<8_760 { count.add(at: hours(hour)) }
    #expect(count.value(at: hours(8_759)) == 24)
    #expect(count.value(at: hours(9_000)) == 0)
  }
}
