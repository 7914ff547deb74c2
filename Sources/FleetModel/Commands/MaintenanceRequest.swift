/// What is ordered about a board's maintenance: while it lasts, nobody shall be alarmed.
public enum MaintenanceRequest: Hashable, Sendable {
  /// It lasts so long from now on, whatever was ordered before; `reason` is the sender's own.
  case start(for: Duration, reason: String?)
  /// It is over.
  case end
}
