import Testing

@testable import BlueZ

/// The bounds of the fault matrix, as they are in a building.
@Suite struct BlueZPolicyTests {
  private let policy = BlueZPolicy()

  @Test
  func `F01 F04 whoever is told to disconnect has five seconds`() {
    #expect(policy.disconnectTimeout <= .seconds(5))
  }

  @Test func `F05 the board's characteristics have ten seconds`() { #expect(policy.services == .seconds(10)) }

  @Test
  func `F11 no call of BlueZ's own lasts longer than 8.5 s, and the listing is asked for again within ten`() {
    #expect(policy.call == .milliseconds(8500))
  }

  @Test func `F18 a refused power-on is tried again after half a minute`() {
    #expect(policy.recheck == .seconds(30))
  }

  @Test func `F20 a scan that receives nothing is deaf after 90 s`() { #expect(policy.deaf == .seconds(90)) }

  @Test func `everything is shorter in tests`() {
    let short = policy.divided(by: 20)
    #expect(short.call == policy.call / 20 && short.recheck == policy.recheck / 20)
    #expect(
      short.services == policy.services / 20 && short.disconnectTimeout == policy.disconnectTimeout / 20)
  }
}
