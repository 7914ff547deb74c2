import FleetModel
import Logging
import Testing

@testable import metafleet

@Suite struct LogLineTests {
  private static let line = LogLine(
    level: .warning, message: "no \u{1B}broker",
    fields: [.init(name: "board", value: "c0"), .init(name: "name", value: "Pump\n3")],
    time: Timestamp(milliseconds: 1_763_671_234_567))

  @Test func `a line is one line for people, dated where nobody else does it`() {
    #expect(Self.line.text(.text, isDated: false) == #"warning: no \u{1B}broker board=c0 name=Pump\n3"#)
    #expect(Self.line.text(.text).hasPrefix("2025-11-20T20:40:34.567Z warning: no "))
  }

  @Test func `F217 a line that stands for others says of how many`() {
    var line = Self.line
    (line.message, line.fields, line.more) = ("refused", [], 41)
    #expect(line.text(.text, isDated: false) == "warning: refused (41 more of these in the last minute)")
    #expect(
      line.text(.json)
        == #"{"ts_ms":1763671234567,"level":"warning","message":"refused","more_in_last_minute":41}"#)
  }
}
