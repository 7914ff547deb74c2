import DBus

/// What bluetoothd is asked to do with an adapter.
extension BlueZService {
  /// Switches it on or off.
  func setPower(
    _ isOn: Bool, of adapter: AdapterObject, within deadline: Duration
  ) async -> DBusConnection.Outcome {
    await ask(
      method(
        adapter.path, BlueZNames.properties, "Set", .string(BlueZNames.adapter), .string("Powered"),
        .variant(.boolean(isOn))),
      within: deadline)
  }

  /// Has it report devices that advertise one of `services`; all where nil.
  func setDiscoveryFilter(
    _ services: [String]?, of adapter: AdapterObject, within deadline: Duration
  ) async -> DBusConnection.Outcome {
    var filter: [String: DBusValue] = ["Transport": .string("le")]
    filter["UUIDs"] = services.map { .strings($0) }
    return await call("SetDiscoveryFilter", .properties(filter), at: adapter, within: deadline)
  }

  /// Has it discover, with such a filter; `afterStop`: what there is of discovery ends first.
  func startDiscovery(
    _ services: [String]?, afterStop: Bool, of adapter: AdapterObject, within deadline: Duration
  ) async -> DBusConnection.Outcome {
    if afterStop { _ = await call("StopDiscovery", at: adapter, within: deadline) }
    let outcome = await setDiscoveryFilter(services, of: adapter, within: deadline)
    guard case .success = outcome else { return outcome }
    return await call("StartDiscovery", at: adapter, within: deadline)
  }

  /// Calls a method of it.
  func call(
    _ member: String, _ arguments: DBusValue..., at adapter: AdapterObject, within deadline: Duration
  ) async -> DBusConnection.Outcome {
    await ask(
      DBusMethodCall(to: owner, adapter.path, BlueZNames.adapter, member, arguments), within: deadline)
  }
}
