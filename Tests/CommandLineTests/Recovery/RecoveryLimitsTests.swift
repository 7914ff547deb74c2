import Testing

@testable import metafleet

@Suite struct RecoveryLimitsTests {
  private static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }

  @Test func `bluetoothd is restarted at most every 30 minutes, and a refused restart does not count`() {
    var limits = RecoveryLimits()
    #expect(limits.restart(at: .zero) == nil)
    #expect(limits.restart(at: Self.minutes(10)) == Self.minutes(20))
    #expect(limits.restart(at: Self.minutes(29)) == Self.minutes(1))
    #expect(limits.restart(at: Self.minutes(30)) == nil)
    #expect(limits.restart(at: Self.minutes(31)) == Self.minutes(29))
  }

  @Test func `a device is reset at most every 30 minutes`() {
    var limits = RecoveryLimits()
    #expect(limits.reset("/a", at: .zero) == nil)
    #expect(limits.reset("/a", at: Self.minutes(10)) == Self.minutes(20))
    #expect(limits.reset("/a", at: Self.minutes(30)) == nil)
  }

  @Test func `a device is reset at most three times in any 24 hours`() {
    var limits = RecoveryLimits()
    for time in [0, 60, 120] { #expect(limits.reset("/a", at: Self.minutes(time)) == nil) }
    #expect(limits.reset("/a", at: Self.minutes(180)) == Self.minutes(24 * 60 - 180))
    // The first is a day ago, then the second.
    #expect(limits.reset("/a", at: Self.minutes(24 * 60)) == nil)
    #expect(limits.reset("/a", at: Self.minutes(24 * 60 + 40)) == Self.minutes(20))
    #expect(limits.reset("/a", at: Self.minutes(24 * 60 + 60)) == nil)
  }

  @Test func `the longer of both waits counts`() {
    var limits = RecoveryLimits()
    for time in [0, 30, 24 * 60 - 10] { #expect(limits.reset("/a", at: Self.minutes(time)) == nil) }
    #expect(limits.reset("/a", at: Self.minutes(24 * 60 - 5)) == Self.minutes(25))
  }

  @Test func `devices and bluetoothd do not wait for each other`() {
    var limits = RecoveryLimits()
    #expect(limits.reset("/a", at: .zero) == nil)
    #expect(limits.reset("/b", at: .zero) == nil)
    #expect(limits.restart(at: .zero) == nil)
  }
}
