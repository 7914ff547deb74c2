import Dialects
import FleetModel

/// Follows the replies to one request until it is over (MQTT contract 3.1, 4.2, 8).
///
///     waiting --final reply of every expected speaker--> over(status)
///        |---- until expiry + 10 s ----> over(tryLater)
struct SendOutcome: Sendable {
  /// Identifier of the request.
  let id: String
  /// Gateways whose final reply is awaited; empty: the first final reply is the only one.
  private var awaited: Set<String>
  private var statuses: [ExitStatus] = []

  /// Whether a gateway has the request: whatever it said, it need not be sent again.
  private(set) var isHeard = false
  /// The answer of the process; nil while a final reply is missing.
  private(set) var status: ExitStatus?

  /// Waits for the final reply to `id`, for a group for one of each gateway that owns members.
  init(id: String, gateways: Set<String> = []) {
    self.id = id
    awaited = gateways
  }

  /// Takes a reply in; false when it answers another request.
  mutating func received(_ reply: ReplyDocument) -> Bool {
    guard reply[.id] == id else { return false }
    isHeard = true
    guard status == nil, let final = Self.status(of: reply) else { return true }
    statuses.append(final)
    if let gateway = reply[.answeredBy] { awaited.remove(gateway) }
    if awaited.isEmpty { status = Self.worst(statuses) }
    return true
  }

  /// Time is up: what there is counts only if nothing else was to come.
  mutating func expired() { status = status ?? .tryLater }

  /// The exit status of a final reply; nil for a stage on the way. `busy` goes first, then `denied`.
  static func status(of reply: ReplyDocument) -> ExitStatus? {
    switch reply[.stage] {
    case .done: .ok
    case .unknown: .unknown
    case .failed:
      switch reply[.code] {
      case "busy": .tryLater
      case "denied": .notAllowed
      default: .no
      }
    default: nil
    }
  }

  /// Several gateways answered: the answer that needs most attention counts.
  private static func worst(_ statuses: [ExitStatus]) -> ExitStatus {
    let order: [ExitStatus] = [.tryLater, .notAllowed, .no, .unknown]
    return order.first { statuses.contains($0) } ?? .ok
  }
}
