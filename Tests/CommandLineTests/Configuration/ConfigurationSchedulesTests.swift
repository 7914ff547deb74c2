import FleetModel
import Testing

@testable import metafleet

@Suite struct ConfigurationSchedulesTests {
  @Test(
    arguments: [
      ("15m", true), ("daily 03:00", true), ("weekly sun 23:59", true), ("never", true),
      ("[1h, daily 03:00]", true), ("900", false), ("daily 24:00", false), ("weekly day 03:00", false),
      ("[]", false),
      ("[1h, x]", false), ("0s", false),
    ])
  func `schedules`(_ text: String, _ isRight: Bool) {
    #expect(read("schedules: { battery: \(text) }").problems.isEmpty == isRight)
  }

  @Test func `a list of one rule is that rule`() {
    #expect(read("schedules: { battery: [1h] }").configuration.schedules.battery == .every(.seconds(3_600)))
  }
}
