import DBus

/// One life of bluetoothd on one bus connection. Calls go to its unique name, so that a successor cannot answer
/// for it, and a new life is a new value.
struct BlueZService: Equatable, Sendable {
  let bus: DBusConnection
  /// Such as ":1.5".
  let owner: String

  func method(_ path: String, _ interface: String, _ member: String, _ arguments: DBusValue...)
    -> DBusMethodCall
  {
    DBusMethodCall(to: owner, path, interface, member, arguments)
  }

  func properties(of path: String, _ interface: String) -> DBusMethodCall {
    method(path, BlueZNames.properties, "GetAll", .string(interface))
  }

  /// Asks and waits. `atArrival` is called in order with signals.
  func ask(
    _ method: DBusMethodCall, within deadline: Duration,
    atArrival: (@Sendable (DBusConnection.Outcome) -> Void)? = nil
  ) async -> DBusConnection.Outcome {
    do throws(DBusFailure) {
      return .success(try await bus.call(method, deadline: deadline, onArrival: atArrival))
    } catch {
      return .failure(error)
    }
  }

  static func == (one: BlueZService, other: BlueZService) -> Bool {
    one.bus === other.bus && one.owner == other.owner
  }
}
