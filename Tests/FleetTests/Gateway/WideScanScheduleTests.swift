import FleetModel
import Testing

@testable import Fleet

/// When boards are looked for that advertise no service.
@Suite struct WideScanScheduleTests {
  @Test func `F172 missing boards are looked for at once, then after growing pauses, at most five minutes`() {
    var schedule = WideScanSchedule()
    let due = (0..<100).map { Duration.seconds(10 * $0) }.filter { schedule.isDue(isMissing: true, at: $0) }
    #expect(due == [0, 60, 180, 420, 720].map { Duration.seconds($0) })
  }

  @Test func `once no board is missing the pauses begin anew`() {
    var schedule = WideScanSchedule()
    let looks = [(0, true), (30, true), (40, false), (50, true), (100, true), (110, true)].map {
      schedule.isDue(isMissing: $0.1, at: .seconds($0.0))
    }
    #expect(looks == [true, false, false, true, false, true])
  }
}
