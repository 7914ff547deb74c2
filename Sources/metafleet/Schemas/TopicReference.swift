import Dialects
import FleetModel

/// A topic of the MQTT API and what is said on it. The AsyncAPI document and the page of topics are made from these;
/// the topics are those that gateways speak and listen on.
struct TopicReference {
  /// Who speaks.
  enum Direction { case published, heard }

  /// What is said.
  enum Payload {
    /// A JSON object by one of the schemas.
    case document(schema: String)
    /// The same as CBOR.
    case cbor(schema: String)
    case text(String, pattern: String)
    /// Requests to the verbs of boards, groups or gateways, and the answers to them.
    case requests(VerbDefinition.Addressee)
    case replies(VerbDefinition.Addressee)
    /// Of the job of a group.
    case jobReplies
  }

  /// `board.info`.
  let name: String
  /// With parameters in braces.
  let topic: String
  let summary: String
  var direction = Direction.published
  var qualityOfService = 1
  var isRetained = false
  let payload: Payload
  /// The values that its parameters can have, where they are known.
  var words: [String: [String]] = [:]

  /// The names in braces, in their order.
  var parameters: [String] { topic.matches(of: /\{([a-z]+)\}/).map { String($0.1) } }

  /// What a parameter stands for, and its value where nothing else is configured.
  static let parameters: [(name: String, summary: String, standard: String?)] = [
    ("base", "`mqtt.base` of the file, one to four levels", UplinkConfiguration().base),
    ("board", "the board's Bluetooth address, twelve digits of 0-9a-f", nil),
    ("group", "a group of boards; `all` is always one", nil),
    ("gateway", "`gateway.id` of the file", nil),
    ("adapter", "the adapter's Bluetooth address, twelve digits of 0-9a-f", nil),
    ("stream", "a stream of the catalogue, one of its components, or a chain of the configuration", nil),
    ("kind", "the kind of the event", nil), ("verb", "the command", nil),
    ("rollout", "the id of the request that began it", nil),
    ("prefix", "`homeassistant.prefix` of the file", HomeAssistantConfiguration().prefix),
  ]

  /// All topics.
  static let all: [TopicReference] =
    TopicTree.BoardDocument.allCases.map(document) + TopicTree.Lane.allCases.map(lane) + boards + groups
    + gateways + homeAssistant

  /// Places in braces where gateways have names.
  private static let topics = TopicTree(base: "{base}", gateway: "{gateway}")
  private static let board = BoardID(SimulationPlan.address(of: 1))

  private static func named(_ topic: String) -> String {
    topic.replacing(board.description, with: "{board}")
  }

  private static func document(_ document: TopicTree.BoardDocument) -> TopicReference {
    let (schema, summary) =
      switch document {
      case .info: ("board-info", "who the board is, and what it can do")
      case .availability: ("board-availability", "whether it can be counted on, and why")
      case .state: ("state", "how it is: link, battery, log, next contact; flat")
      case .config: ("board-config", "what it is meant to run, and what it does run")
      case .led: ("board-led", "the last LED state set")
      case .firmware: ("board-firmware", "which firmware it has, and which there is")
      }
    return TopicReference(
      name: "board.\(document.rawValue)", topic: named(topics.board(board, document)), summary: summary,
      isRetained: true, payload: .document(schema: schema))
  }

  private static func lane(_ lane: TopicTree.Lane) -> TopicReference {
    let (payload, summary): (Payload, String) =
      switch lane {
      case .live: (.document(schema: "live"), "one flat sample, at most ten a second unless configured")
      case .record: (.document(schema: "batch"), "batches of what is streamed, complete and numbered")
      case .log: (.document(schema: "batch"), "batches of what the board logged, complete and numbered")
      case .lp:
        (
          .text("a line per sample, stamps in microseconds", pattern: "^([^ \\n]+ [^ \\n]+ [0-9]+\\n)+$"),
          "both in InfluxDB's line protocol, where `lanes.encodings` has `lp`"
        )
      case .cbor: (.cbor(schema: "batch"), "both in CBOR, where `lanes.encodings` has `cbor`")
      }
    return TopicReference(
      name: "board.\(lane.rawValue)", topic: named(topics.board(board, lane, "{stream}")), summary: summary,
      qualityOfService: lane == .live ? 0 : 1, payload: payload)
  }

  private static func events(_ name: String, _ subject: Subject, _ kinds: [EventKind]) -> TopicReference {
    let topic = named(topics.event(.config, of: subject))
    return TopicReference(
      name: "\(name).event", topic: topic.dropLast(EventKind.config.rawValue.count) + "{kind}",
      summary: "what happened to a \(name)", payload: .document(schema: "event"),
      words: ["kind": kinds.map(\.rawValue)])
  }

  private static func commands(
    _ name: String, _ target: CommandTarget, _ addressee: VerbDefinition.Addressee, replies: Payload
  ) -> [TopicReference] {
    [
      TopicReference(
        name: "\(name).cmd", topic: named(topics.command(to: target, "{verb}")),
        summary: "a command; a retained one is refused, and an empty payload is none", direction: .heard,
        payload: .requests(addressee), words: ["verb": VerbCatalogue.names(for: addressee)]),
      TopicReference(
        name: "\(name).reply", topic: named(topics.reply(to: target, "{verb}")),
        summary: "what becomes of it, in stages; one reply is final", payload: replies),
    ]
  }

  private static let boards =
    [events("board", .board(board), EventKind.ofBoards)]
    + commands("board", .board(board), .board, replies: .replies(.board))

  private static let groups = commands("group", .group("{group}"), .group, replies: .jobReplies)

  private static let gateways =
    [
      TopicReference(
        name: "gateway.availability", topic: topics.gatewayAvailability,
        summary: "whether the gateway is there: its birth, its will, and its stop", isRetained: true,
        payload: .document(schema: "gateway-availability")),
      TopicReference(
        name: "gateway.info", topic: topics.gatewayInfo,
        summary: "what the gateway is, and which boards it has",
        isRetained: true, payload: .document(schema: "gateway-info")),
      TopicReference(
        name: "gateway.health", topic: topics.gatewayHealth,
        summary: "flat numbers, every 30 s and on change",
        isRetained: true, payload: .document(schema: "gateway-health")),
      TopicReference(
        name: "gateway.alarms", topic: topics.gatewayAlarms,
        summary: "what somebody should see to, since when, and whether somebody has", isRetained: true,
        payload: .document(schema: "gateway-alarms")),
      TopicReference(
        name: "gateway.adapter",
        topic: topics.adapter(AdapterID(board.address)).replacing(board.description, with: "{adapter}"),
        summary: "how one of its Bluetooth adapters is", isRetained: true,
        payload: .document(schema: "gateway-adapter")),
      TopicReference(
        name: "gateway.rollout", topic: topics.rollout("{rollout}"),
        summary: "how far a rollout of firmware is; the last ten stay", isRetained: true,
        payload: .document(schema: "gateway-rollout")),
      events("gateway", .gateway, EventKind.ofGateways),
    ] + commands("gateway", .gateway("{gateway}"), .gateway, replies: .replies(.gateway))

  private static let homeAssistant = [
    TopicReference(
      name: "homeassistant.device",
      topic: named(HomeAssistantTopics.document(of: board, below: "{prefix}")),
      summary: "announces a board to Home Assistant, with `homeassistant.discovery: true`", isRetained: true,
      payload: .document(schema: "homeassistant-device")),
    TopicReference(
      name: "homeassistant.gateway",
      topic: HomeAssistantTopics.document(ofGateway: "{gateway}", below: "{prefix}"),
      summary: "announces the gateway to Home Assistant, with `homeassistant.discovery: true`",
      isRetained: true,
      payload: .document(schema: "homeassistant-gateway")),
    TopicReference(
      name: "homeassistant.status", topic: HomeAssistantTopics.birth(below: "{prefix}"),
      summary: "Home Assistant's own birth and will", direction: .heard,
      payload: .text("whether Home Assistant is there", pattern: "^(online|offline)$")),
  ]
}
