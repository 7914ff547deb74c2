import Glibc

/// Where a bus is reached, in the notation of D-Bus: "unix:path=/run/dbus/system_bus_socket". Use local sockets;
/// connecting to them does not wait, while a host name or a far host would hold up the loop.
package struct DBusAddress: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }

  /// The system bus, or the one DBUS_SYSTEM_BUS_ADDRESS names, as all D-Bus programs do.
  package static var system: DBusAddress {
    if let named = getenv("DBUS_SYSTEM_BUS_ADDRESS"), named.pointee != 0 {
      return DBusAddress(String(cString: named))
    }
    return DBusAddress("unix:path=/var/run/dbus/system_bus_socket")
  }
}
