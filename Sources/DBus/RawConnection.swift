import CDBus
import EventLoops

/// The connection as libdbus has it: bytes in and out, nothing waited for. Confined to the actor that made it.
///
/// The time-outs of libdbus are not used: it has some only for calls it tracks itself, and ours are tracked by
/// `DBusConnection`.
final class RawConnection {
  /// What the owner has to do, always on the loop.
  struct Callbacks {
    /// A watched socket is ready: call `ready`.
    var socketReady: @Sendable (Readiness) -> Void
    /// Messages have come in while something was sent: call `dispatch` soon, not now.
    var dispatchDue: () -> Void
    /// A message. The connection may be closed from here.
    var received: (IncomingMessage) -> Void
    /// The other end is gone; nothing follows but `close`.
    var lost: () -> Void
  }

  private let pointer: OpaquePointer
  private let callbacks: Callbacks
  private let socket: SocketWatches
  private var isOpen = true
  private var isDispatching = false

  init(_ address: DBusAddress, on loop: EventLoop, callbacks: Callbacks) throws(DBusFailure) {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    guard DBusSyntax.isText(address.text), let opened = dbus_connection_open_private(address.text, &error)
    else {
      throw .disconnected(error.message.map { String(cString: $0) } ?? "not an address")
    }
    pointer = opened
    self.callbacks = callbacks
    socket = SocketWatches(loop: loop, onReady: callbacks.socketReady)
    dbus_connection_set_exit_on_disconnect(pointer, 0)
    guard connectCallbacks() else {
      close()
      throw .disconnected("the socket cannot be watched")
    }
  }

  deinit {
    close()
    dbus_connection_unref(pointer)
  }

  /// May be called from a callback; nothing is called afterwards.
  func close() {
    guard isOpen else { return }
    isOpen = false
    disconnectCallbacks()
    dbus_connection_close(pointer)
  }

  /// The serial of the message, which its answer will carry; nil when closed or out of memory.
  func send(_ message: DBusMessage) -> UInt32? {
    var serial: UInt32 = 0
    return isOpen && dbus_connection_send(pointer, message.pointer, &serial) != 0 ? serial : nil
  }

  /// Tells libdbus the name the bus gave us.
  func setUniqueName(_ name: String) { if isOpen { _ = dbus_bus_set_unique_name(pointer, name) } }

  func ready(_ readiness: Readiness) {
    guard isOpen else { return }
    isDispatching = true
    socket.handle(readiness)
    isDispatching = false
    dispatch()
  }

  /// Hands over what has arrived, but only so much at a time that the loop can see to others.
  func dispatch() {
    guard isOpen, !isDispatching else { return }
    isDispatching = true
    defer { isDispatching = false }
    for _ in 0..<256 {
      guard isOpen, dbus_connection_dispatch(pointer) == DBUS_DISPATCH_DATA_REMAINS else { return }
    }
    callbacks.dispatchDue()
  }
}

// What libdbus calls, always from within one of the functions above.
extension RawConnection {
  private func connectCallbacks() -> Bool {
    let me = Unmanaged.passUnretained(self).toOpaque()
    dbus_connection_set_dispatch_status_function(pointer, dispatchStatusChanged, me, nil)
    return dbus_connection_add_filter(pointer, filterMessage, me, nil) != 0
      && dbus_connection_set_watch_functions(pointer, addWatch, removeWatch, toggleWatch, me, nil) != 0
  }

  private func disconnectCallbacks() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    _ = dbus_connection_set_watch_functions(pointer, nil, nil, nil, nil, nil)
    dbus_connection_remove_filter(pointer, filterMessage, me)
    dbus_connection_set_dispatch_status_function(pointer, nil, nil, nil)
  }

  fileprivate static func from(_ data: UnsafeMutableRawPointer?) -> RawConnection? {
    data.map { Unmanaged<RawConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  fileprivate func filter(_ message: OpaquePointer) {
    guard dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") == 0 else {
      return callbacks.lost()
    }
    if let message = IncomingMessage(message) { callbacks.received(message) }
  }

  fileprivate func dispatchStatus(_ status: DBusDispatchStatus) {
    if status == DBUS_DISPATCH_DATA_REMAINS, !isDispatching { callbacks.dispatchDue() }
  }

  fileprivate func watches(_ change: (SocketWatches) -> Bool) -> dbus_bool_t { change(socket) ? 1 : 0 }
}

private func filterMessage(
  _ connection: OpaquePointer?, _ message: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) -> DBusHandlerResult {
  guard let raw = RawConnection.from(data), let message else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
  raw.filter(message)
  // Calls that nobody here serves are answered by `DBusConnection` too.
  return DBUS_HANDLER_RESULT_HANDLED
}

private func dispatchStatusChanged(
  _ connection: OpaquePointer?, _ status: DBusDispatchStatus, _ data: UnsafeMutableRawPointer?
) {
  RawConnection.from(data)?.dispatchStatus(status)
}

private func addWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> dbus_bool_t {
  guard let raw = RawConnection.from(data), let watch else { return 0 }
  return raw.watches { $0.add(watch) }
}

private func removeWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  guard let raw = RawConnection.from(data), let watch else { return }
  _ = raw.watches { $0.remove(watch) }
}

private func toggleWatch(_ watch: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
  _ = RawConnection.from(data)?.watches { $0.update() }
}
