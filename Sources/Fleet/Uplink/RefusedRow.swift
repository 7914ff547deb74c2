import Dialects
import Storage

/// A row that the broker will not have, and why. Pure.
struct RefusedRow: Hashable, Sendable {
  let id: OutboxRow.ID
  let topic: String
  /// `quota`, `not-authorised`, `too-large`.
  let kind: String
  /// MQTT's reason code.
  let reasonCode: Int
  let reason: String

  /// Nil where the connection is going, and the message has not been judged.
  init?(_ id: OutboxRow.ID, on topic: String, because failure: BrokerFailure) {
    (self.id, self.topic) = (id, topic)
    switch failure {
    case .refused(let code, let text): (kind, reasonCode, reason) = ("quota", Int(code), text)
    case .notAuthorised(let text), .denied(let text):
      (kind, reasonCode, reason) = ("not-authorised", 0x87, text)
    case .tooLarge:
      (kind, reasonCode, reason) = ("too-large", 0x95, "larger than the broker's maximum packet size")
    case .misuse(let text): (kind, reasonCode, reason) = ("too-large", 0x90, text)
    case .unreachable, .insecure, .unusableSecret, .unsupportedProtocol, .sessionTakenOver, .connectionLost:
      return nil
    }
  }
}
