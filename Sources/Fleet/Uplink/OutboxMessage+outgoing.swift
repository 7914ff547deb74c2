import Dialects
import FleetModel
import Storage

extension OutboxMessage {
  /// What a dialect made, on its way through the disk; nil for what is not worth keeping.
  init?(_ outgoing: OutgoingMessage, created: Timestamp) {
    guard let deliveryClass = outgoing.deliveryClass else { return nil }
    self.init(outgoing.message, as: deliveryClass, samples: outgoing.samples, created: created)
    history = outgoing.history
  }

  /// What a dialect made of an event that was delivered with the end of these sessions.
  init?(_ outgoing: OutgoingMessage, of event: FleetEvent?, closing ended: [ULID], created: Timestamp) {
    self.init(outgoing, created: created)
    switch event {
    case .batch(let batch): continues = OpenStream(batch)
    case .happened(let happened) where happened.kind == .dataGap: closes = ended
    default: break
    }
  }
}
