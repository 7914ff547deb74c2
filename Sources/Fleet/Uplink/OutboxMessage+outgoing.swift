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
}
