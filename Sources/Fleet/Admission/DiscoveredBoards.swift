import FleetModel

/// Boards that are received and not admitted: each is reported once a day, and only so many of all. Pure; times are
/// uptimes.
struct DiscoveredBoards: Sendable {
  /// What is to be done about a board that was received.
  enum Notice: Hashable, Sendable {
    case report
    /// There were too many; it is counted.
    case leaveOut
    /// It was reported, or left out, a while ago.
    case known
  }

  /// When each is news again.
  private var next: [BoardID: Duration] = [:]
  private var reports = SlidingWindow()

  /// Reports in any hour.
  static let perHour = 60
  private static let hour = Duration.seconds(3_600)
  private static let day = Duration.seconds(86_400)
  /// Boards remembered, so that a crowd of changing addresses cannot fill the memory.
  static let limit = 4_096

  /// How many are remembered.
  var count: Int { next.count }

  /// What is to be done about a board that was received.
  mutating func notice(_ board: BoardID, at uptime: Duration) -> Notice {
    if let next = next[board], uptime < next { return .known }
    if next.count >= Self.limit { makeRoom(at: uptime) }
    let isReported = reports.take(limit: Self.perHour, in: Self.hour, at: uptime)
    next[board] = uptime + (isReported ? Self.day : Self.hour)
    return isReported ? .report : .leaveOut
  }

  /// Forgets what is over, and what was left out; of reported boards there are only as many as were reported in a day.
  private mutating func makeRoom(at uptime: Duration) {
    next = next.filter { $0.value > uptime + Self.hour }
  }
}
