import CDBus

/// A message from the bus, read to the end: nothing of libdbus is left in it.
enum IncomingMessage: Sendable {
  case answer(to: UInt32, DBusConnection.Outcome)
  case signal(DBusSignal)
  case call(Call)

  /// A call whose arguments could not be read still wants an answer.
  struct Call: Sendable {
    let sender: String
    let path: String
    let interface: String?
    let member: String
    let arguments: DBusConnection.Outcome
    let serial: UInt32
    let expectsReply: Bool
  }

  /// nil for what we have no use for: unreadable signals and messages of unknown kinds.
  init?(_ message: OpaquePointer) {
    let values = Result { () throws(DBusFailure) in try MessageReader.values(of: message) }
    let sender = Self.text(dbus_message_get_sender(message))
    switch dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_METHOD_RETURN:
      self = .answer(to: dbus_message_get_reply_serial(message), values)
    case DBUS_MESSAGE_TYPE_ERROR:
      let name = Self.text(dbus_message_get_error_name(message)) ?? ""
      let text = (try? values.get())?.first?.text ?? ""
      self = .answer(to: dbus_message_get_reply_serial(message), .failure(.error(name: name, text: text)))
    case DBUS_MESSAGE_TYPE_SIGNAL:
      guard let path = Self.text(dbus_message_get_path(message)),
        let interface = Self.text(dbus_message_get_interface(message)),
        let member = Self.text(dbus_message_get_member(message)), let arguments = try? values.get()
      else { return nil }
      self = .signal(DBusSignal(sender: sender, path, interface, member, arguments))
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      guard let sender, let path = Self.text(dbus_message_get_path(message)),
        let member = Self.text(dbus_message_get_member(message))
      else { return nil }
      self = .call(
        Call(
          sender: sender, path: path, interface: Self.text(dbus_message_get_interface(message)),
          member: member,
          arguments: values, serial: dbus_message_get_serial(message),
          expectsReply: dbus_message_get_no_reply(message) == 0))
    default: return nil
    }
  }

  private static func text(_ start: UnsafePointer<CChar>?) -> String? { start.map { String(cString: $0) } }
}
