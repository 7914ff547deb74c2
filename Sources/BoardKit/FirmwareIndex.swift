public import FleetModel

/// A list of releases of a family's firmware, for who asks what there is for a board.
public protocol FirmwareIndex: Sendable {
  /// What there is for a board as its interview found it.
  func offer(for board: BoardDescription) -> FirmwareReport.Offer
}
