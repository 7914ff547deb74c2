import BoardKit
import DBus
import Testing

@testable import BlueZ

@Suite struct BlueZFailuresTests {
  private static func bluez(_ name: String, _ text: String) -> DBusFailure {
    .error(name: "org.bluez.Error.\(name)", text: text)
  }

  private static func bus(_ name: String, _ text: String = "") -> DBusFailure {
    .error(name: "org.freedesktop.DBus.Error.\(name)", text: text)
  }

  @Test(arguments: [
    (bluez("Failed", "le-connection-abort-by-local"), LinkFailure.Reason.refused),
    (bluez("Failed", "Software caused connection abort"), .refused),
    (bluez("Failed", "br-connection-canceled"), .refused),
    (bluez("Failed", "Operation already in progress"), .adapterBusy),
    (bluez("InProgress", "In Progress"), .adapterBusy),
    (bluez("Failed", "Input/output error"), .adapterOff),
    (bluez("NotReady", "Resource Not Ready"), .adapterOff),
    (bluez("Failed", "Host is down"), .unreachable),
    (bluez("Failed", "le-connection-concurrent-connection-limit"), .noSlots),
    (bluez("AuthenticationFailed", "Authentication Failed"), .bondRequired),
    (bus("UnknownObject", "Method \"Connect\" with signature \"\" … doesn't exist\n"), .deviceGone),
    (bluez("DoesNotExist", "Does Not Exist"), .deviceGone),
    (bus("ServiceUnknown"), .serviceGone), (bus("Spawn.ChildExited"), .serviceGone),
    (bus("NoReply"), .serviceGone),
    (bluez("NotAuthorized", "Not Authorized"), .notPermitted), (bus("AccessDenied"), .notPermitted),
    (bus("LimitsExceeded"), .other),
    (.timedOut(after: .seconds(1)), .timedOut),
    (.disconnected("x"), .serviceGone), (.cancelled, .closed), (.malformed("x"), .other),
  ])
  func `connecting`(failure: DBusFailure, reason: LinkFailure.Reason) {
    #expect(BlueZFailures.meaning(of: failure, while: .connecting).reason == reason)
  }

  @Test(arguments: [
    (bluez("Failed", "Not connected"), LinkFailure.Reason.linkLost),
    (bluez("Failed", "Operation failed with ATT error: 0x0e"), .linkLost),
    (bluez("Failed", "Operation failed with ATT error: 0x01"), .servicesMissing),
    (bluez("Failed", "Operation failed with ATT error: 0x05"), .bondRequired),
    (bluez("Failed", "Operation failed with ATT error: 0x80"), .other),
    (bluez("NotPermitted", "Notify acquired"), .busyElsewhere),
    (bluez("NotPermitted", "Write acquired"), .busyElsewhere),
    (bluez("NotPermitted", "Read not permitted"), .other), (bluez("Failed", "Input/output error"), .linkLost),
    (bus("UnknownObject"), .deviceGone), (bus("UnknownMethod"), .deviceGone), (bus("NoReply"), .serviceGone),
  ])
  func `using`(failure: DBusFailure, reason: LinkFailure.Reason) {
    #expect(BlueZFailures.meaning(of: failure, while: .using).reason == reason)
  }

  @Test func `what BlueZ said is passed on in one line`() {
    let failure = BlueZFailures.meaning(
      of: Self.bus("UnknownObject", "Method doesn't exist\n"), while: .using)
    #expect(failure.message == "org.freedesktop.DBus.Error.UnknownObject: Method doesn't exist")
  }
}
