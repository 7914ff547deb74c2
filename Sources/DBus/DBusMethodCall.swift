/// A question to an object of another program on the bus.
package struct DBusMethodCall: Hashable, Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]

  package init(
    to destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [DBusValue] = []
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }

  /// A question to the bus itself.
  static func bus(_ member: String, _ arguments: DBusValue...) -> DBusMethodCall {
    DBusMethodCall(to: busName, "/org/freedesktop/DBus", busName, member, arguments)
  }

  static let busName = "org.freedesktop.DBus"
}
