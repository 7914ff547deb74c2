import BoardKit
import DBus
import Testing

@testable import BlueZ

@Suite struct ConnectPlanTests {
  private typealias View = ConnectPlan.View
  private let absent = View(isConnected: false, isResolved: false, hasCharacteristics: false)
  private let up = View(isConnected: true, isResolved: false, hasCharacteristics: false)
  private let resolved = View(isConnected: true, isResolved: true, hasCharacteristics: false)
  private let usable = View(isConnected: true, isResolved: true, hasCharacteristics: true)
  private let inProgress = DBusFailure.error(
    name: "org.bluez.Error.Failed", text: "Operation already in progress")

  private func plan() -> ConnectPlan { ConnectPlan(limit: .seconds(20), policy: BlueZPolicy()) }

  private func called() -> ConnectPlan {
    var plan = plan()
    #expect(plan.step(absent, elapsed: .zero) == .call)
    return plan
  }

  private func reason(_ step: ConnectPlan.Step) -> LinkFailure.Reason? {
    if case .failed(let failure, _) = step { failure.reason } else { nil }
  }

  @Test func `the reply does not mean that the services are there`() {
    var plan = called()
    plan.replied(.success([]))
    #expect(plan.step(up, elapsed: .milliseconds(200)) == .refresh)
    #expect(plan.step(up, elapsed: .milliseconds(210)) == .wait(.milliseconds(990)))
    #expect(plan.step(usable, elapsed: .milliseconds(900)) == .refresh)
    #expect(plan.step(usable, elapsed: .milliseconds(910)) == .ready)
  }

  @Test
  func `F05 services that count as resolved are asked for once more: the last may not be announced yet`() {
    var plan = called()
    #expect(plan.step(usable, elapsed: .seconds(1)) == .refresh)
    #expect(plan.step(usable, elapsed: .seconds(1)) == .ready)
  }

  @Test func `F03 without a reply the properties decide`() {
    var plan = called()
    #expect(plan.step(absent, elapsed: .milliseconds(500)) == .wait(.milliseconds(500)))
    #expect(plan.step(usable, elapsed: .seconds(3)) == .refresh)
    #expect(plan.step(usable, elapsed: .seconds(3)) == .ready)
  }

  @Test func `F03 with neither reply nor property the attempt ends at its limit, and looks meanwhile`() {
    var plan = called()
    #expect(plan.step(absent, elapsed: .seconds(1)) == .refresh)
    #expect(plan.step(absent, elapsed: .seconds(1)) == .wait(.seconds(1)))
    #expect(reason(plan.step(absent, elapsed: .seconds(20))) == .unreachable)
    #expect(plan.isPending)
  }

  @Test func `a missing connected signal is made up for by looking`() {
    var plan = called()
    plan.replied(.success([]))
    #expect(plan.step(absent, elapsed: .milliseconds(100)) == .refresh)
    #expect(plan.step(up, elapsed: .milliseconds(110)) == .wait(.milliseconds(990)))
  }

  @Test func `a link that breaks before its services are there fails`() {
    var plan = called()
    plan.replied(.success([]))
    #expect(plan.step(up, elapsed: .milliseconds(100)) == .refresh)
    #expect(reason(plan.step(absent, elapsed: .milliseconds(200))) == .linkLost)
  }

  @Test func `F02 up and down again waits for the error that follows, but not for ever`() {
    var plan = called()
    _ = plan.step(up, elapsed: .milliseconds(100))
    #expect(plan.step(absent, elapsed: .milliseconds(200)) == .wait(.milliseconds(800)))
    var other = plan
    other.replied(.failure(.error(name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local")))
    #expect(reason(other.step(absent, elapsed: .milliseconds(300))) == .refused)
    #expect(reason(plan.step(absent, elapsed: .milliseconds(2200))) == .linkLost)
  }

  @Test func `F05 services without characteristics are listed once, then given up`() {
    var plan = called()
    plan.replied(.success([]))
    #expect(plan.step(resolved, elapsed: .seconds(1)) == .list)
    #expect(plan.step(resolved, elapsed: .seconds(1)) == .refresh)
    #expect(plan.step(resolved, elapsed: .milliseconds(1500)) == .wait(.milliseconds(500)))
    #expect(reason(plan.step(resolved, elapsed: .seconds(11))) == .servicesMissing)
  }

  @Test func `F05 services that are never resolved are given up`() {
    var plan = called()
    _ = plan.step(up, elapsed: .seconds(1))
    #expect(reason(plan.step(up, elapsed: .seconds(11))) == .servicesMissing)
  }

  @Test func `F01 an attempt that hangs is cancelled once, then the device is removed`() {
    var plan = called()
    plan.replied(.failure(inProgress))
    #expect(plan.step(absent, elapsed: .seconds(1)) == .cancelOlder)
    #expect(plan.step(absent, elapsed: .seconds(2)) == .call)
    plan.replied(.failure(inProgress))
    guard case .failed(let failure, removal: true) = plan.step(absent, elapsed: .seconds(3)) else {
      Issue.record("not given up")
      return
    }
    #expect(failure.reason == .adapterBusy)
  }

  @Test func `F07 a device object that vanishes ends the attempt`() {
    var plan = called()
    #expect(reason(plan.step(nil, elapsed: .seconds(1))) == .deviceGone)
  }

  @Test func `a connected but unusable device is timed out and not unreachable`() {
    var plan = called()
    _ = plan.step(up, elapsed: .seconds(15))
    #expect(reason(plan.step(up, elapsed: .seconds(20))) == .timedOut)
  }
}
