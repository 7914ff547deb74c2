import Testing

@testable import BlueZ

/// The bounds of the fault matrix, as they are in a building.
@Suite struct BlueZPolicyTests {
  private let policy = BlueZPolicy()

  @Test("F01 F04 whoever is told to disconnect has five seconds")
  func settle() { #expect(policy.settle <= .seconds(5)) }

  @Test("F05 the board's characteristics have ten seconds")
  func services() { #expect(policy.services == .seconds(10)) }

  @Test("F11 no call of BlueZ's own lasts longer than 8.5 s, and the listing is asked for again within ten")
  func call() { #expect(policy.call == .milliseconds(8500)) }

  @Test("F18 a refused power-on is tried again after half a minute")
  func recheck() { #expect(policy.recheck == .seconds(30)) }

  @Test func everythingIsShorterInTests() {
    let short = policy.divided(by: 20)
    #expect(short.call == policy.call / 20 && short.recheck == policy.recheck / 20)
    #expect(short.services == policy.services / 20 && short.settle == policy.settle / 20)
  }
}
