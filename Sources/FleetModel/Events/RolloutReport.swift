/// How far a rollout is.
public enum RolloutPhase: String, Hashable, Sendable, CaseIterable {
  /// Nobody was begun.
  case planned
  /// The first boards get the firmware.
  case canary
  /// They are watched.
  case soaking
  /// The others get it.
  case rolling
  case done, aborted, expired

  /// Whether nobody is begun any more.
  public var isEnd: Bool { self == .done || self == .aborted || self == .expired }
}

/// What is counted of a rollout's boards; all but `total` add up to that.
public enum RolloutCount: String, Hashable, Sendable, CaseIterable {
  case total, done, failed, stranded, pending, running, skipped, refused

  /// For documentation.
  public var meaning: String {
    switch self {
    case .total: "boards of the group, when it was planned"
    case .done: "boards that have the firmware"
    case .failed: "boards whose update failed, or takes longer than it may"
    case .stranded: "boards that wait in their bootloader, without firmware"
    case .pending: "boards that are to get it, now or again"
    case .running: "boards that get it right now"
    case .skipped: "boards that will not get it: it ended before, or somebody ended their update"
    case .refused: "boards that cannot have it"
    }
  }
}

/// A rollout of firmware as its retained document says it (MQTT contract 4.3).
public struct RolloutReport: Hashable, Sendable {
  /// A board that does not have the firmware.
  public struct Row: Hashable, Sendable {
    /// Which.
    public var board: BoardID
    /// How far it is.
    public var state: State
    /// Why, where there is a reason.
    public var reason: String?

    /// How far a board is.
    public enum State: String, Hashable, Sendable, CaseIterable {
      case waiting, running, overdue, failed, stranded, skipped, refused
    }

    /// States how far a board is.
    public init(_ board: BoardID, _ state: State, _ reason: String? = nil) {
      (self.board, self.state, self.reason) = (board, state, reason)
    }
  }

  /// So many boards are listed, so that no document grows with the fleet.
  public static let mostRows = 100

  /// Its id.
  public var id: String
  /// Whose boards get it.
  public var group: String
  /// What they are to have.
  public var version: String
  /// How far it is.
  public var phase: RolloutPhase
  /// Whether nobody is begun until somebody says so.
  public var isPaused: Bool
  /// Why it was aborted.
  public var reason: String?
  /// How many boards are how far.
  public var counts: [RolloutCount: Int]
  /// Boards that are begun in an hour, by now.
  public var perHour: Int
  /// When the next thing happens by itself, where that is known.
  public var next: Timestamp?
  /// When it began.
  public var began: Timestamp
  /// Boards that do not have the firmware: those that need somebody first.
  public private(set) var rows: [Row]
  /// When this became so.
  public var time: Timestamp

  /// Takes what is known; of the rows the first `mostRows`.
  public init(
    id: String, group: String, version: String, phase: RolloutPhase, isPaused: Bool, reason: String?,
    counts: [RolloutCount: Int], perHour: Int, next: Timestamp?, began: Timestamp, rows: [Row],
    time: Timestamp
  ) {
    (self.id, self.group, self.version) = (id, group, version)
    (self.phase, self.isPaused, self.reason, self.counts) = (phase, isPaused, reason, counts)
    (self.perHour, self.next, self.began, self.time) = (perHour, next, began, time)
    self.rows = Array(rows.prefix(Self.mostRows))
  }

  /// Whether it is not over.
  public var isActive: Bool { !phase.isEnd || (counts[.running] ?? 0) > 0 }
}
