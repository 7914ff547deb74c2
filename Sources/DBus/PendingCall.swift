import EventLoops

/// Names a call that waits for its answer.
package struct DBusCallID: Hashable, Comparable, Sendable {
  let number: UInt64

  package static func < (one: DBusCallID, other: DBusCallID) -> Bool { one.number < other.number }
}

/// A call from the moment it was made until its completion was called.
struct PendingCall {
  let message: DBusMessage
  let timer: LoopTimer
  let completion: @Sendable (DBusConnection.Outcome) -> Void
  /// nil while it waits for a place on the bus.
  var serial: UInt32?
}
