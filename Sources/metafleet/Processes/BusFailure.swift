import DBus

/// What a person is told when a bus cannot be used.
enum BusFailure {
  static func explain(_ failure: DBusFailure, bus: DBusAddress) -> CommandLineFailure {
    switch failure {
    case .error("org.freedesktop.DBus.Error.AccessDenied", let text):
      CommandLineFailure(
        .notAllowed, "D-Bus at \(bus) denies access: \(text); add this user to the D-Bus policy")
    case .error("org.freedesktop.DBus.Error.NameExists", _):
      CommandLineFailure(
        .unavailable,
        "org.bluez runs on the bus at \(bus) already; stop it, or leave --bus out for a private bus")
    default:
      CommandLineFailure(
        .unavailable,
        "the bus at \(bus) cannot be used (\(failure)); is it running, and is DBUS_SYSTEM_BUS_ADDRESS right?")
    }
  }
}
