import Testing

@testable import Simulator

struct BoardConditionTests {
  @Test func `Of each kind the newest counts, and ignored calls add up`() {
    var condition = BoardCondition()
    for ailment in [
      Ailment.delayed(.seconds(1)), .delayed(.seconds(2)), .ignored(.write), .ignored(.connect), .mute,
      .refused(name: "a.b", text: "one"), .refused(name: "a.b", text: "two"),
    ] { condition.suffer(ailment) }
    #expect(condition.delay == .seconds(2) && condition.isMute && !condition.isVanished)
    #expect(condition.ignores(.write) && condition.ignores(.connect) && !condition.ignores(.disconnect))
    #expect(condition.refusal?.text == "two")
  }

  @Test func `One kind is healed, or all`() {
    var condition = BoardCondition()
    for ailment in [Ailment.mute, .vanished, .ignored(.write)] { condition.suffer(ailment) }
    condition.heal(.mute)
    #expect(!condition.isMute && condition.isVanished)
    condition.heal(nil)
    #expect(condition.isWell)
  }
}
