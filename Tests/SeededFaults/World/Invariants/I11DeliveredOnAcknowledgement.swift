import FleetModel

/// An outbox row is done with only when the broker said so for that very row: what got lost on its way comes again.
struct I11DeliveredOnAcknowledgement: Invariant {
  private var missing: [MQTTMessage: Duration] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .swallowed(let publication), .refused(let publication):
      let message = publication.message
      // A newer retained message takes the place of an older one.
      if message.qualityOfService != .atMostOnce, !message.isRetained { missing[message] = moment.uptime }
    case .published(let publication): missing[publication.message] = nil
    default: break
    }
    return nil
  }

  func review(at moment: Moment) -> String? {
    guard let first = missing.min(by: { $0.value < $1.value }) else { return nil }
    return
      "\(missing.count) messages were never delivered, such as that of \(first.value) on \(first.key.topic): "
      + String(decoding: first.key.payload, as: UTF8.self)
  }
}
