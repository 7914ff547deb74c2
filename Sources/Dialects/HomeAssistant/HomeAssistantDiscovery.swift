package import FleetModel

/// What a gateway and its boards announce to Home Assistant: a retained device document each, published when it says
/// something else than before, and removed with the board (MQTT API 7). Does nothing unless the file asks for it.
package struct HomeAssistantDiscovery: Sendable {
  private struct Board {
    var info: BoardInfo?
    /// Nil until the board's configuration is known: an entity that comes and goes at every start is worse than a late
    /// one.
    var streams: [(name: String, configuration: JSONObject)]?
    /// As it was last published.
    var document: JSONObject?
    /// Components that are gone, and their platforms: Home Assistant forgets one that is announced without anything
    /// else.
    var withdrawn: [String: JSONValue] = [:]
    /// The topics of the values that Home Assistant shows.
    var liveTopics: Set<String> = []
    /// The last messages on them, so that a Home Assistant that begins need not wait for the next ones.
    var values: [String: MQTTMessage] = [:]
  }

  private let topics: TopicTree
  private let version: String
  package private(set) var configuration: HomeAssistantConfiguration
  private var boards: [BoardID: Board] = [:]
  /// Whether the gateway itself is announced.
  private var isGatewayAnnounced = false

  /// `version` is MetaFleet's.
  package init(topics: TopicTree, version: String, configuration: HomeAssistantConfiguration) {
    (self.topics, self.version, self.configuration) = (topics, version, configuration)
  }

  /// Where it announces boards, and what it hears there.
  package var places: HomeAssistantTopics { HomeAssistantTopics(configuration, base: topics.base) }

  /// The messages that an event makes necessary.
  package mutating func messages(for event: FleetEvent) -> [OutgoingMessage] {
    guard configuration.isAnnounced else { return [] }
    switch event {
    case .gatewayInfo:
      defer { isGatewayAnnounced = true }
      return isGatewayAnnounced ? [] : [gatewayAnnouncement]
    case .info(let info):
      boards[info.board, default: Board()].info = info
      return update(info.board)
    case .configuration(let report):
      boards[report.board, default: Board()].streams = report.desired.keys.filter {
        [.stream, .process].contains($0.section)
      }
      .map { ($0.name, report.desired[$0]?.object ?? [:]) }
      return update(report.board)
    case .forgotten(let board):
      return boards.removeValue(forKey: board)?.document == nil ? [] : [cleared(board)]
    default: return []
    }
  }

  /// Takes note of a message that carries a live sample.
  package mutating func saw(_ message: MQTTMessage, of board: BoardID) {
    guard configuration.isAnnounced, boards[board]?.liveTopics.contains(message.topic) == true else {
      return
    }
    boards[board]?.values[message.topic] = message
  }

  /// Other keys of the file. What no longer holds is removed; `events` are the retained documents of all boards.
  package mutating func change(
    to new: HomeAssistantConfiguration, _ events: [FleetEvent]
  ) -> [OutgoingMessage] {
    guard new != configuration else { return [] }
    let old =
      boards.keys.sorted().filter { boards[$0]?.document != nil }.map { cleared($0) }
      + (isGatewayAnnounced ? [cleared(places.document(ofGateway: topics.gateway))] : [])
    boards = [:]
    isGatewayAnnounced = false
    configuration = new
    return old + events.flatMap { messages(for: $0) }
  }

  /// All documents as they were last published.
  package var current: [OutgoingMessage] {
    boards.keys.sorted().compactMap { board in boards[board]?.document.map { announcement(board, $0) } }
      + (isGatewayAnnounced ? [gatewayAnnouncement] : [])
  }

  /// The last values of everything that Home Assistant shows, with the times at which they were measured.
  package var lastValues: [MQTTMessage] {
    boards.keys.sorted().flatMap { board in
      (boards[board]?.values ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Takes a document as the broker holds it: components that an earlier run announced are withdrawn with the next one.
  /// Returns the gateway that speaks for the board in it; nil where none of this fleet does.
  package mutating func owner(in payload: [UInt8], of board: BoardID) -> String? {
    guard let document = try? StrictJSON.parse(payload, limits: .trusting).object,
      let gateway = places.gateway(in: document)
    else { return nil }
    if gateway == topics.gateway, boards[board] != nil {
      note(withdrawnFrom: document, of: board)
    }
    return gateway
  }

  private mutating func update(_ id: BoardID) -> [OutgoingMessage] {
    guard var board = boards[id], let info = board.info, let streams = board.streams else { return [] }
    let device = HomeAssistantDevice(
      topics: topics, version: version, info: info, streams: streams,
      installsFirmware: configuration.installsFirmware)
    let document = device.document
    board.liveTopics = Set(device.liveTopics)
    board.values = board.values.filter { board.liveTopics.contains($0.key) }
    let old = board.document
    board.document = document
    boards[id] = board
    if let old { note(withdrawnFrom: old, of: id) }
    return old == document ? [] : [announcement(id, document)]
  }

  private mutating func note(withdrawnFrom old: JSONObject, of id: BoardID) {
    guard let new = boards[id]?.document?["components"]?.object else { return }
    for (key, component) in old["components"]?.object?.members ?? [] where new[key] == nil {
      boards[id]?.withdrawn[key] = component.object?["platform"]
    }
    for key in new.keys { boards[id]?.withdrawn[key] = nil }
  }

  private func announcement(_ board: BoardID, _ document: JSONObject) -> OutgoingMessage {
    var document = document
    var components = document["components"]?.object ?? [:]
    for (key, platform) in (boards[board]?.withdrawn ?? [:]).sorted(by: { $0.key < $1.key }) {
      components[key] = ["platform": platform]
    }
    document["components"] = .object(components)
    return announcement(at: places.document(of: board), document)
  }

  private var gatewayAnnouncement: OutgoingMessage {
    announcement(
      at: places.document(ofGateway: topics.gateway),
      HomeAssistantGateway(topics: topics, version: version).document)
  }

  private func announcement(at topic: String, _ document: JSONObject) -> OutgoingMessage {
    var message = MQTTMessage(topic: topic, payload: JSONWriter.render(document), isRetained: true)
    message.properties.contentType = "application/json"
    return OutgoingMessage(message, .state)
  }

  private func cleared(_ board: BoardID) -> OutgoingMessage { cleared(places.document(of: board)) }

  private func cleared(_ topic: String) -> OutgoingMessage {
    OutgoingMessage(MQTTMessage(topic: topic, payload: [], isRetained: true), .state)
  }
}
