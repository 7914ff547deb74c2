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

  @Test func theReplyDoesNotMeanThatTheServicesAreThere() {
    var plan = called()
    plan.replied(.success([]))
    #expect(plan.step(up, elapsed: .milliseconds(200)) == .look)
    #expect(plan.step(up, elapsed: .milliseconds(210)) == .wait(.milliseconds(990)))
    #expect(plan.step(usable, elapsed: .milliseconds(900)) == .look)
    #expect(plan.step(usable, elapsed: .milliseconds(910)) == .ready)
  }

  @Test("F05 services that count as resolved are asked for once more: the last may not be announced yet")
  func lastCharacteristics() {
    var plan = called()
    #expect(plan.step(usable, elapsed: .seconds(1)) == .look)
    #expect(plan.step(usable, elapsed: .seconds(1)) == .ready)
  }

  @Test("F03 without a reply the properties decide")
  func noReply() {
    var plan = called()
    #expect(plan.step(absent, elapsed: .milliseconds(500)) == .wait(.milliseconds(500)))
    #expect(plan.step(usable, elapsed: .seconds(3)) == .look)
    #expect(plan.step(usable, elapsed: .seconds(3)) == .ready)
  }

  @Test("F03 with neither reply nor property the attempt ends at its limit, and looks meanwhile")
  func nothingAtAll() {
    var plan = called()
    #expect(plan.step(absent, elapsed: .seconds(1)) == .look)
    #expect(plan.step(absent, elapsed: .seconds(1)) == .wait(.seconds(1)))
    #expect(reason(plan.step(absent, elapsed: .seconds(20))) == .unreachable)
    #expect(plan.isPending)
  }

  @Test func aMissingConnectedSignalIsMadeUpForByLooking() {
    var plan = called()
    plan.replied(.success([]))
    #expect(plan.step(absent, elapsed: .milliseconds(100)) == .look)
    #expect(plan.step(up, elapsed: .milliseconds(110)) == .wait(.milliseconds(990)))
  }

  @Test func aLinkThatBreaksBeforeItsServicesAreThereFails() {
    var plan = called()
    plan.replied(.success([]))
    #expect(plan.step(up, elapsed: .milliseconds(100)) == .look)
    #expect(reason(plan.step(absent, elapsed: .milliseconds(200))) == .linkLost)
  }

  @Test("F02 up and down again waits for the error that follows, but not for ever")
  func upAndDown() {
    var plan = called()
    _ = plan.step(up, elapsed: .milliseconds(100))
    #expect(plan.step(absent, elapsed: .milliseconds(200)) == .wait(.milliseconds(800)))
    var other = plan
    other.replied(.failure(.error(name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local")))
    #expect(reason(other.step(absent, elapsed: .milliseconds(300))) == .refused)
    #expect(reason(plan.step(absent, elapsed: .milliseconds(2200))) == .linkLost)
  }

  @Test("F05 services without characteristics are listed once, then given up")
  func missingCharacteristics() {
    var plan = called()
    plan.replied(.success([]))
    #expect(plan.step(resolved, elapsed: .seconds(1)) == .list)
    #expect(plan.step(resolved, elapsed: .seconds(1)) == .look)
    #expect(plan.step(resolved, elapsed: .milliseconds(1500)) == .wait(.milliseconds(500)))
    #expect(reason(plan.step(resolved, elapsed: .seconds(11))) == .servicesMissing)
  }

  @Test("F05 services that are never resolved are given up")
  func neverResolved() {
    var plan = called()
    _ = plan.step(up, elapsed: .seconds(1))
    #expect(reason(plan.step(up, elapsed: .seconds(11))) == .servicesMissing)
  }

  @Test("F01 an attempt that hangs is cancelled once, then the device is removed")
  func inProgressTwice() {
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

  @Test("F07 a device object that vanishes ends the attempt")
  func vanished() {
    var plan = called()
    #expect(reason(plan.step(nil, elapsed: .seconds(1))) == .deviceGone)
  }

  @Test func aConnectedButUnusableDeviceIsTimedOutAndNotUnreachable() {
    var plan = called()
    _ = plan.step(up, elapsed: .seconds(15))
    #expect(reason(plan.step(up, elapsed: .seconds(20))) == .timedOut)
  }
}
