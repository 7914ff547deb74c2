/// Why a D-Bus call brought no answer, or a connection ended.
package enum DBusFailure: Error, Hashable, Sendable {
  /// The other side, or the bus in its place, answered with an error. The text is what it said, verbatim.
  case error(name: String, text: String)

  /// No answer within the deadline. The other side may have acted all the same.
  case timedOut(after: Duration)

  /// The connection ended, or was closed, before the answer; or none could be made.
  case disconnected(String)

  /// The calling task was cancelled. The other side may have acted all the same.
  case cancelled

  /// What was to be sent breaks the rules of D-Bus; nothing was sent.
  case notSendable(String)

  /// What arrived is not what was asked for, or cannot be read.
  case malformed(String)
}

extension DBusFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .error(let name, let text): text.isEmpty ? name : "\(name): \(text)"
    case .timedOut(let deadline): "no answer within \((deadline / .milliseconds(100)).rounded() / 10) s"
    case .disconnected(let reason): "no connection to D-Bus: \(reason)"
    case .cancelled: "cancelled"
    case .notSendable(let reason): "cannot be sent: \(reason)"
    case .malformed(let reason): "cannot be read: \(reason)"
    }
  }
}

extension DBusFailure {
  package static func unknownMethod(_ what: String) -> DBusFailure {
    .error(name: "org.freedesktop.DBus.Error.UnknownMethod", text: what)
  }

  package static func unknownObject(_ what: String) -> DBusFailure {
    .error(name: "org.freedesktop.DBus.Error.UnknownObject", text: what)
  }

  package static func unknownInterface(_ what: String) -> DBusFailure {
    .error(name: "org.freedesktop.DBus.Error.UnknownInterface", text: what)
  }

  package static func unknownProperty(_ what: String) -> DBusFailure {
    .error(name: "org.freedesktop.DBus.Error.UnknownProperty", text: what)
  }

  package static func readOnlyProperty(_ what: String) -> DBusFailure {
    .error(name: "org.freedesktop.DBus.Error.PropertyReadOnly", text: what)
  }

  package static func invalidArguments(_ what: String) -> DBusFailure {
    .error(name: "org.freedesktop.DBus.Error.InvalidArgs", text: what)
  }

  /// The name of the error the other side answered with.
  package var errorName: String? {
    if case .error(let name, _) = self { name } else { nil }
  }
}
