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

  @Test func `F262 by how much a clock was set is known when it is set, and does not count the time between`()
  {
    var clock = HostClockState()
    _ = clock.note(Timestamp(milliseconds: 60_000), uptime: .seconds(10))
    _ = clock.note(Timestamp(milliseconds: 90_000), uptime: .seconds(40))
    #expect(clock.step == .zero)
    _ = clock.note(.at(0), uptime: .seconds(70))
    #expect(Timestamp(milliseconds: 120_000) + clock.step == .at(0))
  }

  @Test func `F262 until what was taken without a clock is dated anew, nothing is judged by its age`() {
    var clock = HostClockState()
    #expect(!clock.isUndated(at: .at(0)))
    _ = clock.note(Timestamp(milliseconds: 60_000))
    // Set, and not noticed yet.
    #expect(!clock.isUndated(at: Timestamp(milliseconds: 61_000)) && clock.isUndated(at: .at(0)))
    _ = clock.note(.at(0), uptime: .seconds(1))
    _ = clock.note(.at(30), uptime: .seconds(31))
    #expect(clock.needsRedating && clock.isUndated(at: .at(30)))
    // What waited in memory may come to the disk behind the first time.
    clock.redated()
    #expect(clock.needsRedating && clock.step > .zero)
    clock.redated()
    #expect(!clock.needsRedating && !clock.isUndated(at: .at(30)))
  }

  @Test func `a clock that is set is nothing to tell`() {
    var clock = HostClockState()
    let change = clock.note(.at(0))
    #expect(change == nil && clock.isSet)
  }
}
