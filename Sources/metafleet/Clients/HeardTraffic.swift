import Dialects
import FleetModel

/// What came from a board, and from its gateway, while somebody listened.
struct HeardTraffic: Sendable {
  /// For how long.
  var span: Duration
  /// Streams of which a live sample came.
  private(set) var streams: Set<String> = []
  /// Kinds of events with the newest of each.
  private(set) var events: [EventKind: JSONObject] = [:]

  init(span: Duration) { self.span = span }

  /// What to subscribe to.
  static func filters(base: String, board: BoardID, gateway: String?) -> [String] {
    ["live", "event"].map { "\(base)/board/\(board)/\($0)/+" }
      + (gateway.map { ["\(base)/gateway/\($0)/event/+"] } ?? [])
  }

  /// Takes a message in.
  mutating func received(_ message: MQTTMessage) {
    guard let object = try? StrictJSON.parse(message.payload, limits: .trusting).object else { return }
    if let kind = object["kind"]?.string.flatMap(EventKind.init(rawValue:)) {
      events[kind] = object
    } else if let stream = object["stream"]?.string {
      streams.insert(stream)
    }
  }
}
