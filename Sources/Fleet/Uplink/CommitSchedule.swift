import FleetModel
import Storage

/// How the disk does, and when something is to be written to it. Pure.
struct CommitSchedule: Sendable {
  /// How long records, and the notes that they have arrived, may wait to share a commit.
  static let span = Duration.milliseconds(250)
  /// How many of them share one well enough to wait for no more.
  private static let share = 500
  /// How long the disk may take for an answer before nobody waits for it.
  private static let timeout = Duration.seconds(1)
  /// How long to wait for a disk that refused.
  static let retryPause = Duration.seconds(1)

  /// Why the disk takes nothing now.
  private(set) var refusal: StoreFailure?
  /// What it had room for at the last look.
  private(set) var room = DiskRoom.unlimited
  /// When, by uptime, what waits in memory goes to the disk; nil while nothing waits.
  private var commitDue: Duration?
  /// Since when the disk owes an answer; nil while it owes none.
  private var askedAt: Duration?
  private(set) var isCommitting = false
  private var isSlow = false
  /// No commit is tried before.
  private var retryAt = Duration.zero

  /// Whether too little of the disk is left for samples.
  var isLow: Bool { room.isLow }

  /// How long one of so many records, and notes that they have arrived, may wait for others. A disk that refuses is not
  /// asked more often for them.
  func span(sharedBy count: Int) -> Duration { refusal == nil && count >= Self.share ? .zero : Self.span }

  /// Whether the disk refuses, or takes too long.
  func isInTrouble(at now: Duration) -> Bool {
    refusal != nil || askedAt.map { now - $0 >= Self.timeout } ?? false
  }

  /// How long until a disk that owes an answer is in trouble; nil where it owes none, or is.
  func untilTrouble(at now: Duration) -> Duration? {
    isInTrouble(at: now) ? nil : askedAt.map { $0 + Self.timeout - now }
  }

  /// Why samples that are dropped now are dropped.
  var dropReason: GapReason {
    switch refusal {
    case .taken: .storageLocked
    case nil: isLow ? .storageFull : .storageLocked
    default: .storageFull
    }
  }

  /// Something waits for a commit, at `due` at the latest. Returns whether that is earlier than was known.
  mutating func schedule(at due: Duration) -> Bool {
    guard commitDue.map({ $0 > due }) ?? true else { return false }
    commitDue = due
    return true
  }

  /// Whether to commit now; who is `isHurried` waits for nobody to share it.
  func isDue(at now: Duration, isHurried: Bool) -> Bool {
    commitDue.map { $0 <= now || isHurried } ?? false && retryAt <= now
  }

  /// How long until the next commit; nil where nothing waits for one.
  func wait(at now: Duration) -> Duration? { commitDue.map { max($0, retryAt) - now } }

  /// What there is room for. Returns what is to be published.
  mutating func checked(_ room: DiskRoom) -> UplinkChange? {
    self.room = room
    guard isLow, refusal == nil else { return nil }
    refusal = .low
    return .storage(.low)
  }

  /// The disk is asked for something, and may be busy with what others asked of it.
  mutating func asked(at now: Duration) { askedAt = now }

  mutating func answered() { (askedAt, isCommitting) = (nil, false) }

  /// What waited is in a commit.
  mutating func commitBegan() { (commitDue, isCommitting) = (nil, true) }

  /// The disk took it. Returns what is to be published.
  mutating func committed(at now: Duration) -> [UplinkChange] {
    var changes: [UplinkChange] = []
    let took = askedAt.map { now - $0 } ?? .zero
    // Slow twice as late as quick again, so that it does not flicker.
    if (took > (isSlow ? Self.timeout : Self.timeout * 2)) != isSlow {
      isSlow.toggle()
      changes.append(.slow(isSlow))
    }
    let condition = room.condition(after: refusal)
    if condition != refusal {
      refusal = condition
      changes.append(.storage(condition))
    }
    return changes
  }

  /// The disk took nothing. Returns what is to be published.
  mutating func refused(_ failure: StoreFailure, at now: Duration) -> UplinkChange? {
    retryAt = now + Self.retryPause
    commitDue = min(commitDue ?? retryAt, retryAt)
    defer { refusal = failure }
    return refusal == failure ? nil : .storage(failure)
  }
}
