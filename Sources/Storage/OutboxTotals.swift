internal import GRDB

/// What became of a row; the numbers are those of the column `state`.
enum OutboxState: Int, Sendable {
  case waiting = 0
  /// The broker has it; kept for a replay.
  case delivered = 1
  /// The broker will not have it; kept until somebody changes that.
  case refused = 2
}

/// Messages and bytes.
package struct OutboxAmount: Hashable, Sendable {
  package var messages = 0
  package var bytes = 0

  package init(messages: Int = 0, bytes: Int = 0) { (self.messages, self.bytes) = (messages, bytes) }
}

/// How much lies in the outbox. Kept in step by every transaction, because counting reads all rows.
struct OutboxTotals: Hashable, Sendable {
  private(set) var waiting = OutboxAmount()
  private(set) var delivered = OutboxAmount()
  private(set) var refused = OutboxAmount()

  mutating func add(messages: Int = 1, bytes: Int, to state: OutboxState) {
    change(state, messages, bytes)
  }

  mutating func remove(bytes: Int, from state: OutboxState) {
    change(state, -1, -bytes)
  }

  mutating func move(bytes: Int, from old: OutboxState, to new: OutboxState) {
    remove(bytes: bytes, from: old)
    add(bytes: bytes, to: new)
  }

  private mutating func change(_ state: OutboxState, _ messages: Int, _ bytes: Int) {
    let path: WritableKeyPath<OutboxTotals, OutboxAmount> =
      switch state {
      case .waiting: \.waiting
      case .delivered: \.delivered
      case .refused: \.refused
      }
    self[keyPath: path].messages += messages
    self[keyPath: path].bytes += bytes
  }
}

extension OutboxTotals {
  /// Reads all rows, without their payloads: once, when the store is opened.
  static func counted(in database: Database) throws -> OutboxTotals {
    var totals = OutboxTotals()
    let rows = try Row.fetchAll(
      database, sql: "SELECT state, count(*) AS messages, sum(bytes) AS bytes FROM outbox GROUP BY state")
    for row in rows {
      guard let state = OutboxState(rawValue: row["state"]) else { continue }
      totals.add(messages: row["messages"], bytes: row["bytes"], to: state)
    }
    return totals
  }
}
