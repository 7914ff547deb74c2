import BoardKit
import DBus

/// What an error of BlueZ means for a link: the only table of its error names and texts. Names alone say little,
/// since nearly everything is `org.bluez.Error.Failed`.
enum BlueZFailures {
  /// What was being done.
  enum Occasion: Sendable {
    /// Connecting a device.
    case connecting
    /// Reading, writing or subscribing on a link that is up.
    case using
  }

  static func meaning(of failure: DBusFailure, while occasion: Occasion) -> LinkFailure {
    LinkFailure(reason(of: failure, occasion), failure.description.trimmingLineFeeds)
  }

  private static func reason(of failure: DBusFailure, _ occasion: Occasion) -> LinkFailure.Reason {
    switch failure {
    case .error(let name, let text): reason(name, text.trimmingLineFeeds, occasion)
    case .timedOut: .timedOut
    case .disconnected: .serviceGone
    case .cancelled: .closed
    case .notSendable, .malformed: .other
    }
  }

  private static func reason(_ name: String, _ text: String, _ occasion: Occasion) -> LinkFailure.Reason {
    switch name {
    case "org.bluez.Error.Failed": failed(text, occasion)
    case "org.bluez.Error.InProgress": .adapterBusy
    case "org.bluez.Error.NotReady": .adapterOff
    case "org.bluez.Error.NotConnected": .linkLost
    case "org.bluez.Error.NotPermitted" where text.hasSuffix(" acquired"): .busyElsewhere
    case "org.bluez.Error.AuthenticationFailed", "org.bluez.Error.AuthenticationRejected",
      "org.bluez.Error.AuthenticationCanceled", "org.bluez.Error.AuthenticationTimeout":
      .bondRequired
    case "org.bluez.Error.NotAuthorized", "org.freedesktop.DBus.Error.AccessDenied": .notPermitted
    // The device object is gone: it was only seen, and not for 30 s, or somebody removed it.
    case "org.bluez.Error.DoesNotExist", "org.freedesktop.DBus.Error.UnknownObject",
      "org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownInterface":
      .deviceGone
    case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
      .serviceGone
    case _ where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): .serviceGone
    default: .other
    }
  }

  private static func failed(_ text: String, _ occasion: Occasion) -> LinkFailure.Reason {
    switch text {
    case "Operation already in progress", "Device or resource busy", "le-connection-busy": .adapterBusy
    // Ours is never reported like this, because we no longer listen when we cancel.
    case "br-connection-canceled": .refused
    // After 40 s without an answer, and also when a board breaks off while it connects (fault F02).
    case "le-connection-abort-by-local", "le-connection-abort-by-remote", "le-connection-refused",
      "le-connection-terminated-by-local", "Software caused connection abort", "Connection refused",
      "Connection reset by peer":
      .refused
    case "Host is down", "No route to host", "Connection timed out", "Page Timeout": .unreachable
    case "Input/output error", "le-connection-adapter-not-powered":
      occasion == .connecting ? .adapterOff : .linkLost
    case "Not connected", "Failed to initiate write": .linkLost
    case _ where text.hasPrefix(attributeError): attribute(String(text.dropFirst(attributeError.count)))
    // Full controllers say so in several words (fault F22).
    case _ where occasion == .connecting && text.lowercased().contains("limit"): .noSlots
    default: .other
    }
  }

  private static let attributeError = "Operation failed with ATT error: "

  private static func attribute(_ code: String) -> LinkFailure.Reason {
    switch code {
    // Invalid handle, attribute not found: what BlueZ remembers of the board is out of date (fault F06).
    case "0x01", "0x0a": .servicesMissing
    // Authentication, authorisation, encryption.
    case "0x05", "0x08", "0x0c", "0x0f": .bondRequired
    // "Unlikely": a call that was under way when the link went, or a board that was mute for 30 s.
    case "0x0e": .linkLost
    default: .other
    }
  }
}

// The same table, asked for what to do next instead of what to tell.
extension DBusFailure {
  /// An earlier attempt, perhaps of a process that is gone, still hangs (fault F01).
  var isConnectInProgress: Bool {
    isBlueZ("InProgress")
      || self == .error(name: "org.bluez.Error.Failed", text: "Operation already in progress")
  }

  /// Somebody's StartNotify, often our own from before, is in the way of an acquired socket (fault F08).
  var isNotifyInProgress: Bool { isBlueZ("InProgress") }

  /// This characteristic or this BlueZ has no sockets for notifications.
  var isNotSupported: Bool {
    isBlueZ("NotSupported") || errorName == "org.freedesktop.DBus.Error.UnknownMethod"
  }

  /// Discovery is what it is asked to be already: there is no session to stop.
  var isNoDiscoverySession: Bool {
    self == .error(name: "org.bluez.Error.Failed", text: "No discovery started")
  }

  /// There is a session already.
  var isDiscoveryInProgress: Bool { isBlueZ("InProgress") }

  private func isBlueZ(_ error: String) -> Bool { errorName == "org.bluez.Error.\(error)" }
}

extension String {
  /// libdbus ends some of its texts with a line feed.
  fileprivate var trimmingLineFeeds: String {
    var text = self
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }
}
