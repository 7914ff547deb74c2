import FleetModel

/// Boards heard that are not ours: each is reported once a day. Pure; times are uptimes.
struct DiscoveredBoards: Sendable {
  private var reported: [BoardID: Duration] = [:]

  private static let repetition = Duration.seconds(86_400)
  /// Unlisted boards remembered, so that a crowd of changing addresses cannot fill the memory.
  static let limit = 10_000

  /// Whether a board that was heard is to be reported now.
  mutating func shouldReport(_ board: BoardID, at uptime: Duration) -> Bool {
    if let last = reported[board], uptime - last < Self.repetition { return false }
    if reported.count >= Self.limit { reported = reported.filter { uptime - $0.value < .seconds(3600) } }
    guard reported.count < Self.limit else { return false }
    reported[board] = uptime
    return true
  }
}
