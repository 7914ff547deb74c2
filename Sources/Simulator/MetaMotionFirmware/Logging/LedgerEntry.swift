package import FleetModel

/// What a board did with an entry of its log: what an onlooker holds against what the host makes of it.
package enum LedgerEntry: Equatable, Sendable {
  /// Why entries are no longer there.
  package enum Removal: String, Sendable {
    /// The host confirmed their page.
    case confirmed
    /// The host dropped them.
    case dropped
    /// The oldest made room.
    case overwritten
    /// They were not in flash yet when the processor stopped; the newest ones.
    case power
  }

  /// The nine bytes of one that was written down.
  case logged([UInt8])
  /// One that found the log full.
  case refused
  /// So many of the oldest are gone, or of the newest.
  case removed(Int, Removal)
  /// The host asked for so many.
  case readOut(Int)
  /// The host was told that a page is complete; it had so many entries.
  case page(Int)
}

/// Hears what becomes of a board's log, and when by the time of the simulation.
package typealias LedgerKeeper = @Sendable (BluetoothAddress, LedgerEntry, Duration) -> Void

extension LedgerEntry: CustomStringConvertible {
  /// One line: what happened, then its number or bytes.
  package var description: String {
    switch self {
    case .logged(let bytes): "logged " + bytes.map { Self.digits[Int($0)] }.joined()
    case .refused: "refused"
    case .removed(let count, let removal): "\(removal.rawValue) \(count)"
    case .readOut(let count): "read-out \(count)"
    case .page(let count): "page \(count)"
    }
  }

  private static let digits = (0..<256).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
}
