package import FleetModel

/// An MQTT message that must reach the broker, also after a crash.
package struct OutboxMessage: Hashable, Sendable {
  /// Who goes first (MQTT API, section 6). Nothing of a lower number is ever dropped for a higher one.
  package enum Priority: Int, Sendable, CaseIterable {
    /// Replies and retained state.
    case reply = 0
    /// Downloaded log entries and events.
    case log = 1
    /// Batches of streamed samples: the only ones that a full outbox turns into gaps.
    case record = 2
  }

  /// MQTT 5 properties; empty or nil where there is none.
  package struct Properties: Hashable, Sendable {
    package struct UserProperty: Hashable, Sendable, Codable {
      package var name: String
      package var value: String

      package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
      }
    }

    package var contentType: String?
    package var responseTopic: String?
    package var correlationData: [UInt8] = []
    /// Seconds, counted from when it is handed to the broker.
    package var expiryInterval: UInt32?
    package var user: [UserProperty] = []

    package init() {}
  }

  package var priority: Priority
  package var topic: String
  package var payload: [UInt8]
  package var qualityOfService: UInt8
  package var isRetained: Bool
  package var properties: Properties
  /// Samples inside, for counting what was published and what was lost.
  package var samples: Int
  package var created: Timestamp
  /// Where the stream of a batch stands once it is kept; not kept itself, and nil in what is read back.
  package var continues: OpenStream?

  package init(
    _ priority: Priority, topic: String, payload: [UInt8], created: Timestamp, qualityOfService: UInt8 = 1,
    isRetained: Bool = false, properties: Properties = Properties(), samples: Int = 0
  ) {
    self.priority = priority
    self.topic = topic
    self.payload = payload
    self.created = created
    self.qualityOfService = qualityOfService
    self.isRetained = isRetained
    self.properties = properties
    self.samples = samples
  }

  /// What it counts against limits.
  var size: Int { topic.utf8.count + payload.count }
}

/// A message in the outbox.
package struct OutboxRow: Hashable, Sendable, Identifiable {
  /// Never used twice, also not after a restart.
  package let id: Int64
  package let message: OutboxMessage

  package init(id: Int64, message: OutboxMessage) { (self.id, self.message) = (id, message) }
}
