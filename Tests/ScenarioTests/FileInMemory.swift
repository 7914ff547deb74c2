import FleetModel
import Synchronization

/// The configuration file of a scenario: whatever was put there last.
final class FileInMemory: Sendable {
  private let content: Mutex<CheckedConfiguration>

  init(_ configuration: FleetConfiguration) { content = Mutex(CheckedConfiguration(configuration)) }

  var checked: CheckedConfiguration { content.withLock { $0 } }

  /// Somebody edits it.
  func edit(_ edit: (inout CheckedConfiguration) throws -> Void) rethrows {
    try content.withLock { try edit(&$0) }
  }
}
