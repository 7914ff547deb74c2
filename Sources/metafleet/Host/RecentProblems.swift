import FleetModel
import Logging
import Synchronization

/// The latest warnings and errors of the process, for who asks from afar.
final class RecentProblems: Sendable {
  /// The contract's number (4.1, `diagnostics`).
  static let limit = 50

  private let lines = Mutex<[String]>([])

  /// Oldest first.
  var all: [String] { lines.withLock { $0 } }

  func note(_ line: String) {
    lines.withLock { lines in
      if lines.count == Self.limit { lines.removeFirst() }
      lines.append(line)
    }
  }
}
