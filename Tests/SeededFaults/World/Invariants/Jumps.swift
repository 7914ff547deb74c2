import FleetModel

/// Which boards are in their bootloaders, or on their way there or back: from the jump to the first word to an
/// application over a link behind it. What is promised of boards that stream is not promised of them meanwhile.
struct Jumps: Sendable {
  private enum Place: Sendable {
    /// It was told to jump, over the link that is still up.
    case leaving
    /// That link is gone.
    case away
  }

  private static let jump: [UInt8] = [0xFE, 0x02]
  private var places: [BoardID: Place] = [:]
  /// When boards were back.
  private(set) var returned: [BoardID: Duration] = [:]

  func isAway(_ board: BoardID) -> Bool { places[board] != nil }

  mutating func observe(_ observation: Observation, at uptime: Duration) {
    switch observation {
    case .wrote(let board, Self.jump): places[board] = .leaving
    case .wrote(let board, _) where places[board] == .away: end(board, at: uptime)
    case .link(let board, isUp: false) where places[board] != nil: places[board] = .away
    case .published(let publication) where publication.lane == "reply":
      // It did not jump, and nothing waits for that any more.
      guard publication.name == "firmware-update", let board = publication.board,
        places[board] == .leaving, publication.document?["ok"] != nil
      else { return }
      end(board, at: uptime)
    default: return
    }
  }

  private mutating func end(_ board: BoardID, at uptime: Duration) {
    places[board] = nil
    returned[board] = uptime
  }
}
