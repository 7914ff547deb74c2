import Testing

@testable import Simulator

struct ActiveFaultsTests {
  @Test func `Of each kind the newest counts, and ignored calls add up`() {
    var condition = ActiveFaults()
    for fault in [
      LastingFault.delayed(.seconds(1)), .delayed(.seconds(2)), .ignored(.write), .ignored(.connect), .mute,
      .refused(name: "a.b", text: "one"), .refused(name: "a.b", text: "two"),
    ] { condition.apply(fault) }
    #expect(condition.delay == .seconds(2) && condition.isMute && !condition.isVanished)
    #expect(condition.ignores(.write) && condition.ignores(.connect) && !condition.ignores(.disconnect))
    #expect(condition.refusal?.text == "two")
  }

  @Test func `One kind is healed, or all`() {
    var condition = ActiveFaults()
    for fault in [LastingFault.mute, .vanished, .ignored(.write)] { condition.apply(fault) }
    condition.heal(.mute)
    #expect(!condition.isMute && condition.isVanished)
    condition.heal(nil)
    #expect(condition.isWell)
  }

  @Test func `What is sent arrives at once, later, or with the next clump`() {
    var condition = ActiveFaults()
    #expect(condition.arrival(of: .milliseconds(1_010)) == .milliseconds(1_010))
    condition.apply(.clumped(.milliseconds(70)))
    #expect(
      [1_010, 1_050, 1_051].map { condition.arrival(of: .milliseconds($0)) }
        == [1_050, 1_050, 1_120].map { .milliseconds($0) })
    condition.apply(.delayed(.milliseconds(500)))
    #expect(condition.arrival(of: .milliseconds(1_010)) == .milliseconds(1_540))
    condition.heal(.clump)
    #expect(condition.arrival(of: .milliseconds(1_010)) == .milliseconds(1_510))
  }
}
