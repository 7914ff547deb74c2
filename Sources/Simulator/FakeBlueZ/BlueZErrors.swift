import DBus

/// What bluetoothd answers when it refuses, word for word (version 5.66).
extension DBusFailure {
  private static func bluez(_ name: String, _ text: String) -> DBusFailure {
    .error(name: "org.bluez.Error." + name, text: text)
  }

  static let alreadyDiscovering = bluez("InProgress", "Operation already in progress")
  static let noDiscovery = bluez("Failed", "No discovery started")
  static let blocked = bluez("Blocked", "Blocked through rfkill")
  static let notReady = bluez("NotReady", "Resource Not Ready")
  static let invalidArguments = bluez("InvalidArguments", "Invalid arguments in method call")
  static let doesNotExist = bluez("DoesNotExist", "Does Not Exist")
  static let alreadyExists = bluez("AlreadyExists", "Already Exists")

  static let alreadyConnecting = bluez("Failed", "Operation already in progress")
  static let aborted = bluez("Failed", "le-connection-abort-by-local")
  static let adapterOff = bluez("Failed", "Input/output error")
  /// BlueZ says "br" although the link is LE.
  static let connectionCancelled = bluez("Failed", "br-connection-canceled")
  static let authenticationFailed = bluez("AuthenticationFailed", "Authentication Failed")
  static let notAvailable = bluez("NotAvailable", "Operation currently not available")

  static let notConnected = bluez("Failed", "Not connected")
  static let notSupported = bluez("NotSupported", "Operation is not supported")
  static let writeNotInitiated = bluez("Failed", "Failed to initiate write")
  static let invalidOffset = bluez("InvalidArguments", "Invalid offset")
  static let notifyAcquired = bluez("NotPermitted", "Notify acquired")
  static let writeAcquired = bluez("NotPermitted", "Write acquired")
  static let notifying = bluez("InProgress", "In Progress")
  static let noNotifySession = bluez("Failed", "No notify session started")
  static let descriptorWriteRefused = bluez("NotPermitted", "Write not permitted")

  static func attribute(_ error: AttributeError) -> DBusFailure {
    switch error {
    case .readNotPermitted: bluez("NotPermitted", "Read not permitted")
    case .writeNotPermitted: bluez("NotPermitted", "Write not permitted")
    case .invalidLength: bluez("InvalidArguments", "Invalid Length")
    default: bluez("Failed", "Operation failed with ATT error: \(error)")
    }
  }
}
