import FleetModel

/// Boards heard that are not ours: each is told once a day. Pure; times are uptimes.
struct StrangerBook: Sendable {
  private var told: [BoardID: Duration] = [:]

  private static let repetition = Duration.seconds(86_400)
  /// Strangers remembered, so that a crowd of changing addresses cannot fill the memory.
  static let limit = 10_000

  /// Whether a board that was heard is to be told of now.
  mutating func isNews(_ board: BoardID, at uptime: Duration) -> Bool {
    if let last = told[board], uptime - last < Self.repetition { return false }
    if told.count >= Self.limit { told = told.filter { uptime - $0.value < .seconds(3600) } }
    guard told.count < Self.limit else { return false }
    told[board] = uptime
    return true
  }
}
