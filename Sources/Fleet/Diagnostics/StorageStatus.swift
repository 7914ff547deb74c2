import FleetModel
import Storage

/// How the store is, and what is published of it: once when that changes, however many are refused meanwhile (fault
/// F90). Pure.
struct StorageStatus: Hashable, Sendable {
  /// Who was refused.
  enum Part: Hashable, Sendable {
    /// Messages on their way out.
    case outbox
    /// A page of this board's log.
    case log(of: BoardID)
    /// How long a write took.
    case pace
    /// Somebody who reads the database for so long that its write-ahead log grows.
    case reader
  }

  private var refused: [Part: StorageCondition] = [:]
  /// What lay in the outbox when the store last said so.
  var outbox: OutboxStatistics?
  /// By which time what is kept is judged to be old; nil until it is known what the last run believed.
  var retention: RetentionClock?
  /// How streamed samples are kept.
  var kept = KeptStreamsStatus()

  /// The worst of all.
  var condition: StorageCondition { refused.values.max() ?? .fine }

  /// Whether anything is refused.
  var isOn: Bool { condition > .slow }

  /// Boards of which a page was refused while messages are not: nobody tries again before their next read-out, which
  /// may be hours away.
  var refusedLogs: [BoardID] {
    guard refused[.outbox] == nil else { return [] }
    return refused.keys.compactMap { if case .log(let board) = $0 { board } else { nil } }.sorted()
  }

  /// A part was refused because of `failure`, or was taken again. Returns what is published, if anything is.
  mutating func note(_ part: Part, _ failure: StoreFailure?) -> StorageCondition? {
    // A fault of ours says nothing about the disk.
    if case .misuse = failure { return nil }
    return note(part, failure.map(StorageCondition.init))
  }

  /// A part is in a condition; nil when there is nothing to say against it.
  mutating func note(_ part: Part, _ condition: StorageCondition?) -> StorageCondition? {
    let before = self.condition
    refused[part] = condition
    return self.condition == before ? nil : self.condition
  }

  /// The type under the older kind `storage-full`, which lacks some; nil where it has nothing to say.
  static func olderType(of new: StorageCondition, after old: StorageCondition) -> String? {
    func isKnown(_ condition: StorageCondition) -> Bool { ![.slow, .beingRead, .locked].contains(condition) }
    if new == .fine { return isKnown(old) ? new.eventType : nil }
    return isKnown(new) ? new.eventType : nil
  }
}

extension OutboxStatistics {
  /// What health says of it.
  func numbers(at now: Timestamp) -> [Metric: Double] {
    func age(_ oldest: Timestamp?) -> Double {
      oldest.map { (max(0, (now - $0).inSeconds) * 10).rounded() / 10 } ?? 0
    }
    return [
      .outboxMessages: Double(waiting.messages), .outboxBytes: Double(waiting.bytes),
      .outboxOldest: age(oldest), .refusedMessages: Double(refused.messages),
      .refusedOldest: age(oldestRefused),
    ]
  }
}

extension StorageCondition {
  init(_ failure: StoreFailure) {
    switch failure {
    case .low: self = .low
    case .readOnly: self = .readOnly
    case .corrupt: self = .corrupt
    case .taken: self = .locked
    case .full, .io, .newer, .misuse: self = .full
    }
  }
}
