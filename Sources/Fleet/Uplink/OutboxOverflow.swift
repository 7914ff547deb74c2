import Dialects
import FleetModel
import Storage

/// Samples that the gateway dropped, as events.
extension BatchNumbering.Loss {
  func event(at time: Timestamp, using random: inout SeededGenerator) -> EventMessage {
    EventMessage(
      .dataGap, "stream", of: .board(board),
      fields: [
        "stream": .string(stream), "session": .string(session.description),
        "from_ms": .integer(from.milliseconds), "to_ms": .integer(to.milliseconds),
        "count": .integer(Int64(count)), "reason": .string(reason.rawValue),
      ], at: time, using: &random)
  }
}

/// What is published of batches that an outbox over its limits gives up; on the store's own executor.
struct OutboxOverflow: Sendable {
  let dialect: any Dialect
  let seed: UInt64
  let time: Timestamp

  func messages(for losses: [DroppedRecords]) -> [OutboxMessage] {
    var random = SeededGenerator(seed: seed)
    return losses.flatMap { loss -> [OutboxMessage] in
      // Samples that go out in several encodings are lost once.
      guard loss.samples > 0, let (board, stream) = dialect.source(of: loss.topic) else { return [] }
      let gap = EventMessage(
        .dataGap, "stream", of: .board(board),
        fields: [
          "stream": .string(stream), "from_ms": .integer(loss.from.milliseconds),
          "to_ms": .integer(loss.to.milliseconds), "count": .integer(Int64(loss.samples)),
          "reason": .string(GapReason.storageFull.rawValue),
        ], at: time, using: &random)
      return dialect.messages(for: .happened(gap)).compactMap { OutboxMessage($0, created: time) }
    }
  }
}
