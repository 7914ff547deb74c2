import CDBus

/// A message to be sent, confined to the connection that made it. Every part is checked first, because libdbus
/// ends the process over a wrong one.
final class DBusMessage {
  let pointer: OpaquePointer

  /// Takes over a reference.
  private init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { dbus_message_unref(pointer) }
}

extension DBusMessage {
  static func call(_ call: DBusMethodCall) throws(DBusFailure) -> DBusMessage {
    guard DBusSyntax.isBusName(call.destination) else {
      throw .notSendable("not a bus name: \(call.destination)")
    }
    let message = try make(call.path, call.interface, call.member) {
      dbus_message_new_method_call(call.destination, $0, $1, $2)
    }
    return try message.with(call.arguments)
  }

  /// `destination` nil: for everyone who listens.
  static func signal(_ signal: DBusSignal, to destination: String?) throws(DBusFailure) -> DBusMessage {
    let message = try make(signal.path, signal.interface, signal.member) {
      dbus_message_new_signal($0, $1, $2)
    }
    if let destination {
      guard DBusSyntax.isBusName(destination) else { throw .notSendable("not a bus name: \(destination)") }
      dbus_message_set_destination(message.pointer, destination)
    }
    return try message.with(signal.arguments)
  }

  static func reply(to serial: UInt32, of sender: String, _ values: [DBusValue]) throws(DBusFailure)
    -> DBusMessage
  {
    try answer(DBUS_MESSAGE_TYPE_METHOD_RETURN, to: serial, of: sender).with(values)
  }

  static func failure(
    to serial: UInt32, of sender: String, name: String, text: String
  ) throws(DBusFailure) -> DBusMessage {
    guard DBusSyntax.isErrorName(name) else { throw .notSendable("not an error name: \(name)") }
    let message = try answer(DBUS_MESSAGE_TYPE_ERROR, to: serial, of: sender)
    dbus_message_set_error_name(message.pointer, name)
    return try message.with([.string(text)])
  }

  private static func make(
    _ path: String, _ interface: String, _ member: String,
    _ create: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>) -> OpaquePointer?
  ) throws(DBusFailure) -> DBusMessage {
    guard DBusSyntax.isObjectPath(path) else { throw .notSendable("not an object path: \(path)") }
    guard DBusSyntax.isInterface(interface) else { throw .notSendable("not an interface: \(interface)") }
    guard DBusSyntax.isMember(member) else { throw .notSendable("not a member: \(member)") }
    guard let pointer = create(path, interface, member) else { throw outOfMemory }
    return DBusMessage(owning: pointer)
  }

  private static func answer(_ type: Int32, to serial: UInt32, of sender: String) throws(DBusFailure)
    -> DBusMessage
  {
    guard DBusSyntax.isBusName(sender) else { throw .notSendable("not a bus name: \(sender)") }
    guard let pointer = dbus_message_new(type) else { throw outOfMemory }
    dbus_message_set_reply_serial(pointer, serial)
    dbus_message_set_destination(pointer, sender)
    dbus_message_set_no_reply(pointer, 1)
    return DBusMessage(owning: pointer)
  }

  private func with(_ values: [DBusValue]) throws(DBusFailure) -> DBusMessage {
    for value in values { try value.check() }
    let signature = values.map(\.signature).joined()
    guard DBusSyntax.isSignature(signature) else { throw .notSendable("too many arguments") }
    guard MessageWriter.append(values, to: pointer) else { throw Self.outOfMemory }
    return self
  }

  private static var outOfMemory: DBusFailure { .notSendable("out of memory") }
}
