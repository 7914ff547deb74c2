import Dialects
import FleetModel
import Synchronization

/// What somebody hears who watches a gateway without its broker.
final class PublishedMessages: Sendable {
  private let messages = Mutex<[MQTTMessage]>([])

  var all: [MQTTMessage] { messages.withLock { $0 } }

  /// The documents on a topic, in order.
  func documents(on topic: String) -> [JSONObject] {
    all.filter { $0.topic == topic }.compactMap {
      (try? StrictJSON.parse($0.payload, limits: .trusting))?.object
    }
  }

  @Sendable func take(_ made: () -> [OutgoingMessage]) {
    let new = made().map(\.message)
    messages.withLock { $0 += new }
  }
}
