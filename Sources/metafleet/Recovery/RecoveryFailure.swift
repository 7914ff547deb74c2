import BlueZ
import DBus
import FleetModel

/// Why the recovery helper did not do what it was asked to.
enum RecoveryFailure: Error, Hashable {
  /// It may be asked again after so long.
  case tooSoon(wait: Duration)
  /// What was asked for, as the caller wrote it.
  case noAdapter(String)
  /// The adapter's name.
  case notUSB(String)
  /// What went wrong.
  case failed(String)

  /// What the caller is answered.
  var answer: DBusFailure {
    switch self {
    case .tooSoon: .error(name: RecoveryHelperNames.tooSoon, text: description)
    case .noAdapter: .error(name: RecoveryHelperNames.noAdapter, text: description)
    case .notUSB: .error(name: RecoveryHelperNames.notUSB, text: description)
    case .failed: .error(name: RecoveryHelperNames.failed, text: description)
    }
  }
}

extension RecoveryFailure: CustomStringConvertible {
  var description: String {
    switch self {
    case .tooSoon(let wait): "this was done a short time ago; wait \(DurationText.roundedUp(wait))"
    case .noAdapter(let name): "there is no Bluetooth adapter \(PrintableText.quoted(name))"
    case .notUSB(let name): "\(name) is no USB device, so it cannot be reset as one"
    case .failed(let reason): PrintableText.escaped(reason)
    }
  }
}
