import Storage

/// What of a replay the broker has acknowledged, and what is on its way. Pure.
struct ReplayProgress: Sendable {
  /// What the broker has acknowledged.
  struct Amount: Hashable, Sendable {
    var messages = 0
    var samples = 0
  }

  private(set) var done = Amount()
  private var underWay: [OutboxRow.ID: OutboxRow] = [:]

  /// Rows are known by the negative of their number: those that wait have the positive ones.
  static func token(of row: OutboxRow) -> OutboxRow.ID { -row.id }

  /// Whether the broker has answered for all that was sent.
  var isAnswered: Bool { underWay.isEmpty }

  /// What the broker has not answered for, oldest first.
  var unanswered: [OutboxRow] { underWay.values.sorted { $0.id < $1.id } }

  /// How many more may go now: of what may be under way half is history at most, or one, so that news are not held up.
  func room(in window: InFlightWindow) -> Int {
    max(0, min(window.room, max(1, window.capacity / 2) - underWay.count))
  }

  mutating func sent(_ rows: [OutboxRow]) {
    for row in rows { underWay[Self.token(of: row)] = row }
  }

  /// The broker has answered for a row. A refusal is no reason to offer history for ever.
  mutating func answered(_ token: OutboxRow.ID, isDelivered: Bool) {
    guard let row = underWay.removeValue(forKey: token), isDelivered else { return }
    done.messages += 1
    done.samples += row.message.samples
  }
}
