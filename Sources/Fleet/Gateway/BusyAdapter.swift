import FleetModel

/// An adapter over which a board delivers is not disturbed (invariant I20).
enum BusyAdapter {
  /// For so long after a packet.
  static let span = Duration.seconds(60)

  /// A board that sent something over the adapter lately; nil where none did.
  static func board(on adapter: AdapterID, of gateway: isolated Gateway) async -> BoardID? {
    for supervisor in gateway.supervisorsInOrder
    where await supervisor.hasDelivered(on: adapter, within: span) {
      return supervisor.board
    }
    return nil
  }
}
