import Dialects
import FleetModel

/// How a board is, in the words of lists: what its documents say together with those of its gateway. Pure.
struct BoardCondition {
  let board: FleetView.Board
  let fleet: FleetView

  init(_ board: FleetView.Board, in fleet: FleetView) { (self.board, self.fleet) = (board, fleet) }

  /// Nobody manages it now: all else is what was last known.
  var isGatewayOffline: Bool { fleet.isGatewayOffline(of: board) }

  /// Whether it can be counted on.
  var isOnline: Bool { !isGatewayOffline && board.availability?[.state] == .online }

  /// Whether a link is up now.
  var isConnected: Bool { !isGatewayOffline && board.state?[.link]?.isConnected == true }

  /// What it does; nil where nobody knows. Who waits although places are free waits for its turn to be connected.
  var link: String? {
    guard !isGatewayOffline, let word = board.state?[.linkWord] else { return nil }
    return board.state?[.link] == .waitingForSlot && isPlaceFree ? "waiting-to-connect" : word
  }

  private var isPlaceFree: Bool {
    let adapters = fleet.gateway(of: board)?.adapters.values.filter { $0[.state] == "up" } ?? []
    return adapters.contains { ($0[.slotsUsed] ?? 0) < ($0[.slotsTotal] ?? 0) }
  }

  /// Codes of what is not as it should be, each once, the gravest first.
  var troubles: [String] {
    if isGatewayOffline { return ["gateway-offline"] }
    var codes: [String] = []
    func add(_ code: String?) { if let code, !codes.contains(code) { codes.append(code) } }
    // A board that is being given firmware is in its bootloader, as it should be.
    if let availability = board.availability, availability[.state] != .online,
      link != LinkPhase.updating.rawValue
    {
      add(availability[.reasonWord] ?? availability[.state]?.rawValue)
    }
    let state = board.state
    add(state?.json["reason_code"]?.string)
    if link == LinkPhase.waitingForSlot.rawValue { add("no-slots") }
    add(state?[.streamReasonWord])
    add(state?.json["identity_reason_code"]?.string)
    return codes
  }
}
