package import FleetModel

/// An MQTT message that must reach the broker, also after a crash. Its expiry is counted from when it is handed over.
package struct OutboxMessage: Hashable, Sendable {
  package var message: MQTTMessage
  /// Who goes first, and what a full outbox may drop.
  package var deliveryClass: DeliveryClass
  /// Samples inside, for counting what was published and what was lost.
  package var samples: Int
  package var created: Timestamp
  /// Where the stream of a batch stands once it is kept; not kept itself, and nil in what is read back.
  package var continues: OpenStream?
  /// Sessions of streams behind which it tells a hole: it goes nowhere but through the disk, with the notes that these
  /// are over, since whoever finds such a session open tells the hole again. Empty in what is read back.
  package var closes: [ULID] = []
  /// What the history keeps of it, in the transaction that takes the message; nil in what is read back.
  package var history: HistoryEntry?

  package init(
    _ message: MQTTMessage, as deliveryClass: DeliveryClass, samples: Int = 0, created: Timestamp
  ) {
    self.message = message
    self.deliveryClass = deliveryClass
    self.samples = samples
    self.created = created
  }

  package var topic: String { message.topic }
  package var payload: [UInt8] { message.payload }
  package var isRetained: Bool { message.isRetained }

  /// How old the newest of its streamed samples is; of a batch that was read back from the disk, how long it has been
  /// there. Nil where there are none.
  package func sampleAge(at now: Timestamp) -> Duration? {
    guard deliveryClass == .record, samples > 0 else { return nil }
    return now - (continues?.last ?? created)
  }

  /// What it counts against limits, in bytes.
  package var size: Int { topic.utf8.count + payload.count }
}

/// A message in the outbox.
package struct OutboxRow: Hashable, Sendable, Identifiable {
  /// Never used twice, also not after a restart.
  package let id: Int64
  package let message: OutboxMessage

  package init(id: Int64, message: OutboxMessage) { (self.id, self.message) = (id, message) }
}
