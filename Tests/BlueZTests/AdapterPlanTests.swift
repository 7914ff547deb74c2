import DBus
import Testing

@testable import BlueZ

@Suite struct AdapterPlanTests {
  private let yes = DBusConnection.Outcome.success([])

  private func no(_ name: String, _ text: String = "") -> DBusConnection.Outcome {
    .failure(.error(name: "org.bluez.Error.\(name)", text: text))
  }

  private func adapter(powered: Bool = true, discovering: Bool = false) -> AdapterObject {
    var adapter = AdapterObject(path: "/org/bluez/hci0")
    adapter.update(["Powered": .boolean(powered), "Discovering": .boolean(discovering)])
    return adapter
  }

  private func discovering() -> AdapterPlan {
    var plan = AdapterPlan(policy: BlueZPolicy())
    _ = plan.step(adapter(), wish: .ours, now: .zero)
    plan.started(.ours, yes, now: .zero)
    return plan
  }

  @Test("F18 one attempt to switch it on, then it is blocked with the cause, and tried again later")
  func power() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    #expect(plan.step(adapter(powered: false), wish: .ours, now: .zero) == .powerOn)
    plan.poweredOn(no("Blocked", "Blocked through rfkill"), now: .zero)
    #expect(plan.blockage == "org.bluez.Error.Blocked: Blocked through rfkill")
    #expect(plan.step(adapter(powered: false), wish: .ours, now: .seconds(1)) == .wait(.seconds(29)))
    #expect(plan.step(adapter(powered: false), wish: .ours, now: .seconds(30)) == .powerOn)
    #expect(plan.step(adapter(), wish: nil, now: .seconds(31)) == .wait(nil))
    #expect(plan.blockage == nil)
    // Switched off by somebody later on: again at once.
    #expect(plan.step(adapter(powered: false), wish: nil, now: .seconds(32)) == .powerOn)
  }

  @Test("F18 an adapter that stays off although nobody refused is blocked, too")
  func staysOff() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    #expect(plan.step(adapter(powered: false), wish: .ours, now: .zero) == .powerOn)
    plan.poweredOn(yes, now: .zero)
    #expect(plan.blockage == nil)
    #expect(plan.step(adapter(powered: false), wish: .ours, now: .seconds(30)) == .powerOn)
    #expect(plan.blockage?.contains("stays off") == true)
    #expect(plan.step(adapter(), wish: nil, now: .seconds(31)) == .wait(nil))
    #expect(plan.blockage == nil)
  }

  @Test("while somebody switches it off and on it is left alone; discovery begins anew afterwards")
  func reset() {
    var plan = discovering()
    plan.beganReset()
    #expect(plan.step(adapter(discovering: true), wish: .ours, now: .seconds(1)) == .wait(nil))
    #expect(plan.step(adapter(powered: false), wish: .ours, now: .seconds(2)) == .wait(nil))
    plan.endedReset()
    #expect(plan.step(adapter(powered: false), wish: .ours, now: .seconds(3)) == .powerOn)
    #expect(plan.step(adapter(), wish: .ours, now: .seconds(4)) == .start(.ours, afterStop: false))
  }

  @Test func discoversOnlyWhileWanted() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    #expect(plan.step(adapter(), wish: nil, now: .zero) == .wait(nil))
    #expect(plan.step(adapter(), wish: .ours, now: .zero) == .start(.ours, afterStop: false))
    #expect(!plan.isQuiet)
    plan.started(.ours, yes, now: .zero)
    #expect(plan.step(adapter(discovering: true), wish: .ours, now: .zero) == .wait(.seconds(10)))
    #expect(plan.step(adapter(discovering: true), wish: .everything, now: .zero) == .refine(.everything))
    plan.refined(.everything, yes)
    #expect(plan.step(adapter(discovering: true), wish: nil, now: .seconds(1)) == .stop)
    #expect(!plan.isQuiet)
    plan.stopped(yes)
    #expect(plan.isQuiet)
    #expect(plan.step(adapter(), wish: nil, now: .seconds(1)) == .wait(nil))
  }

  @Test("a scan that has just begun listens for a second before it pauses")
  func listensBeforeItPauses() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    _ = plan.step(adapter(), wish: .ours, now: .zero)
    plan.started(.ours, yes, now: .seconds(5))
    #expect(
      plan.step(adapter(discovering: true), wish: nil, now: .milliseconds(5400)) == .wait(.milliseconds(600)))
    #expect(plan.step(adapter(discovering: true), wish: nil, now: .seconds(6)) == .stop)
  }

  @Test("F19 discovery that is stuck in progress is stopped first")
  func stuck() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    _ = plan.step(adapter(), wish: .ours, now: .zero)
    plan.started(.ours, no("InProgress", "Operation already in progress"), now: .zero)
    #expect(plan.step(adapter(), wish: .ours, now: .zero) == .start(.ours, afterStop: true))
    // Again: no hot loop.
    plan.started(.ours, no("InProgress"), now: .zero)
    #expect(plan.step(adapter(), wish: .ours, now: .zero) == .wait(.seconds(2)))
  }

  @Test("F19 discovery that has ended by itself is noticed by looking, and begun anew")
  func endedByItself() {
    var plan = discovering()
    // The property follows the reply a moment later.
    #expect(plan.step(adapter(), wish: .ours, now: .milliseconds(10)) == .wait(.milliseconds(1990)))
    #expect(plan.step(adapter(discovering: true), wish: .ours, now: .seconds(1)) == .wait(.seconds(9)))
    #expect(plan.step(adapter(discovering: true), wish: .ours, now: .seconds(10)) == .look)
    plan.looked(now: .seconds(10))
    #expect(
      plan.step(adapter(discovering: false), wish: .ours, now: .seconds(10)) == .start(.ours, afterStop: true)
    )
  }

  @Test("F19 an adapter that never shows that it discovers is not restarted all the time")
  func neverShowsIt() {
    var plan = discovering()
    for begin in [Duration.zero, .seconds(2)] {
      let due: Duration = begin == .zero ? .seconds(2) : .seconds(12)
      #expect(plan.step(adapter(), wish: .ours, now: begin) == .wait(due - begin))
      #expect(plan.step(adapter(), wish: .ours, now: due) == .look)
      plan.looked(now: due)
      #expect(plan.step(adapter(), wish: .ours, now: due) == .start(.ours, afterStop: true))
      plan.started(.ours, yes, now: due)
    }
  }

  @Test("F18 a session ends with the power and is begun again with it")
  func powerCycle() {
    var plan = discovering()
    #expect(plan.step(adapter(powered: false), wish: .ours, now: .seconds(1)) == .powerOn)
    #expect(plan.isQuiet)
    plan.poweredOn(yes, now: .seconds(1))
    #expect(plan.step(adapter(), wish: .ours, now: .seconds(2)) == .start(.ours, afterStop: false))
  }

  @Test func refusedDiscoveryIsTriedAgainAfterAWhile() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    _ = plan.step(adapter(), wish: .ours, now: .zero)
    plan.started(.ours, no("NotReady"), now: .zero)
    #expect(plan.isQuiet)
    #expect(plan.step(adapter(), wish: .ours, now: .seconds(1)) == .wait(.seconds(1)))
    #expect(plan.step(adapter(), wish: .ours, now: .seconds(2)) == .start(.ours, afterStop: false))
  }

  @Test func aStopThatWasNotAnsweredLeavesDoubtAboutTheSession() {
    var plan = discovering()
    _ = plan.step(adapter(discovering: true), wish: nil, now: .seconds(1))
    plan.stopped(.failure(.timedOut(after: .seconds(8))))
    #expect(
      plan.step(adapter(discovering: true), wish: .ours, now: .seconds(1)) == .start(.ours, afterStop: true))
    plan.stopped(no("Failed", "No discovery started"))
    #expect(plan.step(adapter(), wish: .ours, now: .seconds(1)) == .start(.ours, afterStop: false))
  }
}
