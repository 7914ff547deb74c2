import FleetModel
import Storage

/// Streamed samples on their way into the archive, as `storage.streams` says which. Batches of a session are joined
/// until they are worth a row: then they go with the next commit. They are a copy of what is published; where the disk
/// has no room for them, or takes nothing for long, they are dropped before anything else (fault F235). Pure.
struct KeptBatches: Sendable {
  /// How long samples wait for others of their session; a gateway that is killed keeps as many less.
  static let span = Duration.seconds(5)
  /// Samples in a row at most, but for those of one batch.
  static let mostSamples = 1_000
  /// Samples that may wait for a disk.
  static let limit = 100_000

  /// Which are kept.
  var choice = KeptStreamsConfiguration()
  /// The last batches of sessions, which may grow, and since when they wait, by uptime.
  private var growing: [ULID: (batch: SampleBatch, since: Duration)] = [:]
  private var complete: [SampleBatch] = []
  /// Samples that wait.
  private(set) var waiting = 0
  private var dropped = 0

  var isEmpty: Bool { waiting == 0 }

  /// Takes a batch of the record lane, if it is to be kept.
  mutating func keep(_ batch: SampleBatch, at uptime: Duration) {
    guard batch.origin == .stream, batch.count > 0, choice.keeps(batch.stream, of: batch.board) else {
      return
    }
    guard waiting + batch.count <= Self.limit else { return dropped += batch.count }
    waiting += batch.count
    guard growing[batch.session]?.batch.isContinued(by: batch) == true else {
      end(batch.session)
      growing[batch.session] = (batch, uptime)
      return
    }
    growing[batch.session]?.batch.times += batch.times
    growing[batch.session]?.batch.values += batch.values
  }

  /// Nothing more comes of a session.
  mutating func end(_ session: ULID) {
    if let last = growing.removeValue(forKey: session) { complete.append(last.batch) }
  }

  /// What the next transaction keeps: what has waited long enough; of a gateway that stops, all. Nothing where `isLow`:
  /// too little is left of the disk.
  mutating func take(at uptime: Duration, isLow: Bool, isLast: Bool) -> [SampleBatch] {
    if isLow {
      drop()
      return []
    }
    let due = growing.filter { isLast || uptime - $0.value.since >= Self.span }
    for session in due.keys.sorted(by: { $0.description < $1.description }) { end(session) }
    defer { complete = [] }
    waiting -= complete.reduce(0) { $0 + $1.count }
    return complete
  }

  /// The disk did not take these. Where it is only locked they wait as long as there is room here; otherwise they are
  /// given up, so that they can never be why it takes nothing else.
  mutating func putBack(_ batches: [SampleBatch], after failure: StoreFailure) {
    let count = batches.reduce(0) { $0 + $1.count }
    guard case .taken = failure, waiting + count <= Self.limit else { return dropped += count }
    complete = batches + complete
    waiting += count
  }

  /// Takes the number of samples that were not kept since the last time.
  mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  private mutating func drop() {
    dropped += waiting
    (growing, complete, waiting) = ([:], [], 0)
  }
}

extension SampleBatch {
  /// Whether another one of its session goes on where it ends, so that both may be told as one.
  fileprivate func isContinued(by next: SampleBatch) -> Bool {
    next.sequence == sequence + count && next.gapBefore == 0 && next.clock == clock && next.doubts == doubts
      && count + next.count <= KeptBatches.mostSamples
  }
}
