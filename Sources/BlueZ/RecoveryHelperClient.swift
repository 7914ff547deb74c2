import BoardKit
import DBus
import EventLoops

/// Asks the privileged helper on the same bus. Each request has a connection of its own: they are rare, and bluetoothd,
/// or our connection to the bus, may be what is wrong.
struct RecoveryHelperClient: Sendable {
  let address: DBusAddress
  let loop: EventLoop
  /// A bluetoothd that does not end is waited for by systemd, and the helper waits two minutes for that.
  private static let deadline = Duration.seconds(130)

  /// Has the helper reset the USB device of an adapter with a name such as `hci0`; restart bluetoothd where that is
  /// nil.
  func recover(adapter name: String?) async throws(LinkFailure) {
    let call = DBusMethodCall(
      to: RecoveryHelperNames.service, RecoveryHelperNames.path, RecoveryHelperNames.interface,
      name == nil ? RecoveryHelperNames.restartBluetoothd : RecoveryHelperNames.resetAdapter,
      name.map { [.string($0)] } ?? [])
    do throws(DBusFailure) {
      let bus = try await DBusConnection.open(address, on: loop)
      let outcome = await BlueZService(bus: bus, owner: RecoveryHelperNames.service)
        .ask(call, within: Self.deadline)
      await bus.close()
      _ = try outcome.get()
    } catch {
      throw Self.meaning(of: error)
    }
  }

  static func meaning(of failure: DBusFailure) -> LinkFailure {
    switch failure {
    case .error(let name, let text):
      switch name {
      case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
        LinkFailure(
          .notPermitted, "the recovery helper is not running; systemctl enable --now metafleet-recovery")
      case "org.freedesktop.DBus.Error.AccessDenied":
        LinkFailure(
          .notPermitted, "the bus lets only the user metafleet ask the recovery helper; see operating.md")
      default: LinkFailure(.other, "the recovery helper: \(text.isEmpty ? name : text)")
      }
    case .timedOut: LinkFailure(.timedOut, "the recovery helper did not answer")
    case .disconnected, .cancelled, .notSendable, .malformed:
      LinkFailure(.serviceGone, "the recovery helper cannot be asked: \(failure)")
    }
  }
}
