import FleetModel

/// Whether what is published about links is true, from looks at both sides (invariant I8). A difference counts from
/// the first look that shows it to the last, so that it is never taken for longer than it was.
struct LinkTruth: Sendable {
  /// What one look showed.
  struct Look: Sendable {
    /// `link` of each board's state, as published.
    var published: [BoardID: String]
    /// Boards with a link on the radio.
    var onRadio: Set<BoardID>
    /// Boards that BlueZ says are connected; none where there is no BlueZ.
    var inBlueZ: Set<BoardID>
  }

  /// In what way the published state is wrong, and how long it may be.
  enum Error: String, CaseIterable, Sendable {
    case upWithoutBlueZ = "up, which BlueZ denies"
    case upWithoutRadio = "up, without a link on the radio"
    case downDespiteBlueZ = "away, although BlueZ holds it connected"

    var limit: Duration {
      switch self {
      case .upWithoutBlueZ, .downDespiteBlueZ: .seconds(5)
      case .upWithoutRadio: .seconds(15)
      }
    }
  }

  /// The longest times for which the published state was wrong.
  private(set) var worst: [Error: Duration] = [:]
  /// What was wrong for too long, a sentence each.
  private(set) var violations: [String] = []
  private var since: [Error: [BoardID: Duration]] = [:]

  mutating func take(_ look: Look, at now: Duration) {
    for error in Error.allCases {
      for (board, link) in look.published.sorted(by: { $0.key < $1.key }) {
        guard Self.isWrong(error, board, link, look) else {
          since[error, default: [:]][board] = nil
          continue
        }
        let start = since[error]?[board] ?? now
        since[error, default: [:]][board] = start
        let length = now - start
        let before = worst[error] ?? .zero
        worst[error] = max(before, length)
        if length > error.limit, length > before {
          violations.append("\(board) was told as \(link): \(error.rawValue), for \(length)")
        }
      }
    }
  }

  private static func isWrong(_ error: Error, _ board: BoardID, _ link: String, _ look: Look) -> Bool {
    let isUp = ["interviewing", "idle", "streaming"].contains(link)
    let isAway = ["unseen", "advertising", "unreachable"].contains(link)
    return switch error {
    case .upWithoutBlueZ: isUp && !look.inBlueZ.contains(board)
    case .upWithoutRadio: isUp && !look.onRadio.contains(board)
    case .downDespiteBlueZ: isAway && look.inBlueZ.contains(board)
    }
  }
}
