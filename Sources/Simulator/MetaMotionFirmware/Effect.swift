/// What a board does to the world outside, in order.
package enum Effect: Equatable, Sendable {
  /// A packet on the notification characteristic; whoever carries it drops it if the host did not enable
  /// notifications.
  case notify([UInt8])
  /// The battery service has a new value.
  case batteryChanged(percent: UInt8)
  /// The board ends the link by itself.
  case dropLink
  /// What the board advertises, or whether it does, may be different from now on.
  case advertisementChanged
  /// Something was measured or became of the log, at that time; told only by boards that keep a ledger of it.
  case noted(LedgerEntry, at: Duration)
}
