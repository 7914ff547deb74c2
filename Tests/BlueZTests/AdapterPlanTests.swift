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
    _ = plan.step(adapter(), discovery: .ours, now: .zero)
    plan.started(.ours, yes, now: .zero)
    return plan
  }

  @Test func `F18 one attempt to switch it on, then it is blocked with the cause, and tried again later`() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    #expect(plan.step(adapter(powered: false), discovery: .ours, now: .zero) == .powerOn)
    plan.poweredOn(no("Blocked", "Blocked through rfkill"), now: .zero)
    #expect(plan.blockage == "org.bluez.Error.Blocked: Blocked through rfkill")
    #expect(plan.step(adapter(powered: false), discovery: .ours, now: .seconds(1)) == .wait(.seconds(29)))
    #expect(plan.step(adapter(powered: false), discovery: .ours, now: .seconds(30)) == .powerOn)
    #expect(plan.step(adapter(), discovery: nil, now: .seconds(31)) == .wait(nil))
    #expect(plan.blockage == nil)
    // Switched off by somebody later on: again at once.
    #expect(plan.step(adapter(powered: false), discovery: nil, now: .seconds(32)) == .powerOn)
  }

  @Test func `F18 an adapter that stays off although nobody refused is blocked, too`() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    #expect(plan.step(adapter(powered: false), discovery: .ours, now: .zero) == .powerOn)
    plan.poweredOn(yes, now: .zero)
    #expect(plan.blockage == nil)
    #expect(plan.step(adapter(powered: false), discovery: .ours, now: .seconds(30)) == .powerOn)
    #expect(plan.blockage?.contains("stays off") == true)
    #expect(plan.step(adapter(), discovery: nil, now: .seconds(31)) == .wait(nil))
    #expect(plan.blockage == nil)
  }

  @Test func `while somebody switches it off and on it is left alone; discovery begins anew afterwards`() {
    var plan = discovering()
    plan.beganReset()
    #expect(plan.step(adapter(discovering: true), discovery: .ours, now: .seconds(1)) == .wait(nil))
    #expect(plan.step(adapter(powered: false), discovery: .ours, now: .seconds(2)) == .wait(nil))
    plan.endedReset()
    #expect(plan.step(adapter(powered: false), discovery: .ours, now: .seconds(3)) == .powerOn)
    #expect(plan.step(adapter(), discovery: .ours, now: .seconds(4)) == .start(.ours, afterStop: false))
  }

  @Test func `discovers only while wanted`() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    #expect(plan.step(adapter(), discovery: nil, now: .zero) == .wait(nil))
    #expect(plan.step(adapter(), discovery: .ours, now: .zero) == .start(.ours, afterStop: false))
    #expect(!plan.isQuiet)
    plan.started(.ours, yes, now: .zero)
    #expect(plan.step(adapter(discovering: true), discovery: .ours, now: .zero) == .wait(.seconds(10)))
    #expect(plan.step(adapter(discovering: true), discovery: .everything, now: .zero) == .refine(.everything))
    plan.refined(.everything, yes)
    #expect(plan.step(adapter(discovering: true), discovery: nil, now: .seconds(1)) == .stop)
    #expect(!plan.isQuiet)
    plan.stopped(yes)
    #expect(plan.isQuiet)
    #expect(plan.step(adapter(), discovery: nil, now: .seconds(1)) == .wait(nil))
  }

  @Test func `a scan that has just begun listens for a second before it pauses`() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    _ = plan.step(adapter(), discovery: .ours, now: .zero)
    plan.started(.ours, yes, now: .seconds(5))
    #expect(
      plan.step(adapter(discovering: true), discovery: nil, now: .milliseconds(5400))
        == .wait(.milliseconds(600)))
    #expect(plan.step(adapter(discovering: true), discovery: nil, now: .seconds(6)) == .stop)
  }

  @Test func `F19 discovery that is stuck in progress is stopped first`() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    _ = plan.step(adapter(), discovery: .ours, now: .zero)
    plan.started(.ours, no("InProgress", "Operation already in progress"), now: .zero)
    #expect(plan.step(adapter(), discovery: .ours, now: .zero) == .start(.ours, afterStop: true))
    // Again: no hot loop.
    plan.started(.ours, no("InProgress"), now: .zero)
    #expect(plan.step(adapter(), discovery: .ours, now: .zero) == .wait(.seconds(2)))
  }

  @Test func `F19 discovery that has ended by itself is noticed by looking, and begun anew`() {
    var plan = discovering()
    // The property follows the reply a moment later.
    #expect(plan.step(adapter(), discovery: .ours, now: .milliseconds(10)) == .wait(.milliseconds(1990)))
    #expect(plan.step(adapter(discovering: true), discovery: .ours, now: .seconds(1)) == .wait(.seconds(9)))
    #expect(plan.step(adapter(discovering: true), discovery: .ours, now: .seconds(10)) == .refresh)
    plan.refreshed(now: .seconds(10))
    #expect(
      plan.step(adapter(discovering: false), discovery: .ours, now: .seconds(10))
        == .start(.ours, afterStop: true)
    )
  }

  @Test func `F19 an adapter that never shows that it discovers is not restarted all the time`() {
    var plan = discovering()
    for begin in [Duration.zero, .seconds(2)] {
      let due: Duration = begin == .zero ? .seconds(2) : .seconds(12)
      #expect(plan.step(adapter(), discovery: .ours, now: begin) == .wait(due - begin))
      #expect(plan.step(adapter(), discovery: .ours, now: due) == .refresh)
      plan.refreshed(now: due)
      #expect(plan.step(adapter(), discovery: .ours, now: due) == .start(.ours, afterStop: true))
      plan.started(.ours, yes, now: due)
    }
  }

  @Test func `F20 a scan that receives nothing receives everything for a while, then it is restarted`() {
    var plan = discovering()
    func step(_ seconds: Int) -> AdapterPlan.Step {
      plan.step(adapter(discovering: true), discovery: .ours, isMissing: true, now: .seconds(seconds))
    }
    #expect(step(0) == .wait(.seconds(10)))
    plan.refreshed(now: .seconds(79))
    #expect(step(79) == .wait(.seconds(1)))
    #expect(step(80) == .refine(.everything))
    plan.refined(.everything, yes)
    #expect(step(80) == .wait(.seconds(9)))
    plan.refreshed(now: .seconds(89))
    #expect(step(89) == .wait(.seconds(1)))
    #expect(step(90) == .restart(.ours))
    plan.started(.ours, yes, now: .seconds(90))
    // Twice as long before the next one.
    plan.refreshed(now: .seconds(255))
    #expect(step(255) == .wait(.seconds(5)))
    #expect(step(260) == .refine(.everything))
  }

  @Test
  func `F20 a scan in doubt that receives anything is as before; one that nobody needs is never in doubt`() {
    var plan = discovering()
    func step(_ seconds: Int, isMissing: Bool) -> AdapterPlan.Step {
      plan.step(adapter(discovering: true), discovery: .ours, isMissing: isMissing, now: .seconds(seconds))
    }
    _ = step(0, isMissing: true)
    #expect(step(85, isMissing: true) == .refine(.everything))
    plan.refined(.everything, yes)
    let (first, second) = (plan.received(now: .seconds(86)), plan.received(now: .seconds(86)))
    #expect(first && !second)
    #expect(step(86, isMissing: true) == .refine(.ours))
    plan.refined(.ours, yes)
    #expect(step(1_000, isMissing: false) == .refresh)
    plan.refreshed(now: .seconds(1_000))
    // Silence counts from the moment a board is missing.
    #expect(step(1_000, isMissing: true) == .wait(.seconds(10)))
  }

  @Test func `F18 a session ends with the power and is begun again with it`() {
    var plan = discovering()
    #expect(plan.step(adapter(powered: false), discovery: .ours, now: .seconds(1)) == .powerOn)
    #expect(plan.isQuiet)
    plan.poweredOn(yes, now: .seconds(1))
    #expect(plan.step(adapter(), discovery: .ours, now: .seconds(2)) == .start(.ours, afterStop: false))
  }

  @Test func `refused discovery is tried again after a while`() {
    var plan = AdapterPlan(policy: BlueZPolicy())
    _ = plan.step(adapter(), discovery: .ours, now: .zero)
    plan.started(.ours, no("NotReady"), now: .zero)
    #expect(plan.isQuiet)
    #expect(plan.step(adapter(), discovery: .ours, now: .seconds(1)) == .wait(.seconds(1)))
    #expect(plan.step(adapter(), discovery: .ours, now: .seconds(2)) == .start(.ours, afterStop: false))
  }

  @Test func `a stop that was not answered leaves doubt about the session`() {
    var plan = discovering()
    _ = plan.step(adapter(discovering: true), discovery: nil, now: .seconds(1))
    plan.stopped(.failure(.timedOut(after: .seconds(8))))
    #expect(
      plan.step(adapter(discovering: true), discovery: .ours, now: .seconds(1))
        == .start(.ours, afterStop: true))
    plan.stopped(no("Failed", "No discovery started"))
    #expect(plan.step(adapter(), discovery: .ours, now: .seconds(1)) == .start(.ours, afterStop: false))
  }
}
