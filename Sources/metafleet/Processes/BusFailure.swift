import DBus

/// What a person is told when a bus cannot be used.
enum BusFailure {
  static func explain(_ failure: DBusFailure, bus: DBusAddress) -> CommandLineFailure {
    switch failure {
    case .error("org.freedesktop.DBus.Error.AccessDenied", let text):
      CommandLineFailure(.notAllowed, "the bus at \(bus) refuses us: \(text)")
    case .error("org.freedesktop.DBus.Error.NameExists", _):
      CommandLineFailure(.unavailable, "there is an org.bluez on the bus at \(bus) already")
    default:
      CommandLineFailure(
        .unavailable,
        "the bus at \(bus) cannot be used (\(failure)); is it running, and is DBUS_SYSTEM_BUS_ADDRESS right?")
    }
  }
}
