import FleetModel
import Testing

@testable import Fleet

@Suite struct HostClockStateTests {
  @Test func `F100 a clock that is not set is told once, and again when it is set`() {
    var clock = HostClockState()
    let unset = Timestamp(milliseconds: 60_000)
    let changes = [unset, unset, .at(0), .at(1), unset].map { clock.note($0) }
    #expect(changes == [.unset, nil, .synced, nil, .unset])
  }

  @Test func `a clock that is set is nothing to tell`() {
    var clock = HostClockState()
    let change = clock.note(.at(0))
    #expect(change == nil && clock.isSet)
  }
}
