import Testing

@testable import EventLoops

@Suite struct PacketClockTests {
  private static let second: Int64 = 1_000_000_000
  private static let wall = 1_700_000_000 * second

  /// A clock that was looked at once, and again a second later, when the wall clock had been set by `step`.
  private func clock(step: Int64) -> PacketClock {
    var clock = PacketClock()
    clock.noted(wall: Self.wall, monotonic: 5)
    clock.noted(wall: Self.wall + Self.second + step, monotonic: 5 + Self.second)
    return clock
  }

  @Test func `a packet came when its stamp says`() {
    let stamp = Self.wall + Self.second
    #expect(clock(step: 0).arrival(ofStamp: stamp - 70_000_000) == stamp - 70_000_000)
    #expect(clock(step: 500_000).arrival(ofStamp: stamp) == stamp, "slewed, not set")
    var first = PacketClock()
    first.noted(wall: Self.wall, monotonic: 5)
    #expect(first.arrival(ofStamp: Self.wall - 3) == Self.wall - 3)
  }

  @Test(arguments: [-3600, 3600, 1])
  func `F47 what was stamped before the clock was set is new, on every socket`(step: Int64) {
    var clock = clock(step: step * Self.second)
    let found = Self.wall + (step + 1) * Self.second
    #expect(clock.arrival(ofStamp: Self.wall + Self.second / 2) == found)
    clock.noted(wall: found + 1000, monotonic: 5 + Self.second + 1000)
    #expect(clock.arrival(ofStamp: Self.wall + Self.second / 2) == found + 1000, "read a little later")
    clock.noted(wall: found + Self.second, monotonic: 5 + 2 * Self.second)
    #expect(clock.arrival(ofStamp: found + 1) == found + 1, "stamped by the clock as it is now")
  }

  @Test func `what has no stamp or one of the future is new`() {
    for stamp in [0, Self.wall + 2 * Self.second] {
      #expect(clock(step: 0).arrival(ofStamp: stamp) == Self.wall + Self.second)
    }
  }
}
