/// Something another program on the bus said to whoever listens.
package struct DBusSignal: Hashable, Sendable {
  /// The unique name of who said it, such as ":1.5", set by the bus: it cannot be forged. nil only without a bus.
  package var sender: String?
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [DBusValue]

  package init(
    sender: String? = nil, _ path: String, _ interface: String, _ member: String,
    _ arguments: [DBusValue] = []
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
