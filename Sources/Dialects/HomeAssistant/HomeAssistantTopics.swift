package import FleetModel

/// Where boards announce themselves to Home Assistant, and what messages on these topics mean (MQTT API 7). Nothing
/// means anything unless the file asks for announcements. Pure.
package struct HomeAssistantTopics: Hashable, Sendable {
  private let configuration: HomeAssistantConfiguration
  private let base: String

  /// `base` is where the fleet's own topics begin.
  init(_ configuration: HomeAssistantConfiguration, base: String) {
    (self.configuration, self.base) = (configuration, base)
  }

  /// What has to be heard all the time: when Home Assistant begins.
  package var subscriptions: [Subscription] { configuration.isAnnounced ? [Subscription(birthTopic)] : [] }

  /// What to hear once after connecting, to compare it with ours.
  package var retainedFilters: [String] {
    configuration.isAnnounced ? ["\(configuration.prefix)/device/+/config"] : []
  }

  private var birthTopic: String { Self.birth(below: configuration.prefix) }

  /// Where Home Assistant says that it is there.
  package static func birth(below prefix: String) -> String { "\(prefix)/status" }

  /// Where a board is announced.
  package static func document(of board: BoardID, below prefix: String) -> String {
    "\(prefix)/device/\(HomeAssistantDevice.identifier(of: board))/config"
  }

  /// Where a gateway is announced.
  package static func document(ofGateway gateway: String, below prefix: String) -> String {
    "\(prefix)/device/\(HomeAssistantGateway.identifier(of: gateway))/config"
  }

  /// Whether a message says that Home Assistant is there now.
  package func isBirth(_ message: MQTTMessage) -> Bool {
    configuration.isAnnounced && message.topic == birthTopic && message.payload == Array("online".utf8)
  }

  /// Where a board's document stands.
  func document(of board: BoardID) -> String { Self.document(of: board, below: configuration.prefix) }

  /// Where a gateway's document stands.
  func document(ofGateway gateway: String) -> String {
    Self.document(ofGateway: gateway, below: configuration.prefix)
  }

  /// The board whose document stands at a topic; nil for other topics.
  package func board(of topic: String) -> BoardID? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard configuration.isAnnounced, levels.count >= 4,
      let board = BoardID(levels[levels.count - 2].split(separator: "_").last ?? ""),
      topic == document(of: board)
    else { return nil }
    return board
  }

  /// The gateway that speaks for a board in its document; nil where none of this fleet does.
  func gateway(in document: JSONObject) -> String? {
    let places = document["availability"]?.array?.compactMap { $0.object?["topic"]?.string } ?? []
    let (beginning, end) = ("\(base)/gateway/", "/availability")
    return places.first { $0.hasPrefix(beginning) && $0.hasSuffix(end) }
      .map { String($0.dropFirst(beginning.count).dropLast(end.count)) }
  }
}
