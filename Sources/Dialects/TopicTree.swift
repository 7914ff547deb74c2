package import FleetModel

/// Where everything stands on the broker (MQTT API 2). The only place that knows topics.
package struct TopicTree: Hashable, Sendable {
  /// First levels of every topic.
  package let base: String
  /// This gateway's identifier.
  package let gateway: String

  package init(base: String, gateway: String) {
    self.base = base
    self.gateway = gateway
  }

  /// The retained documents of a board.
  package enum BoardDocument: String, Sendable, CaseIterable {
    case info, availability, state, config, led, firmware
  }

  /// The lanes that carry samples.
  package enum Lane: String, Sendable, CaseIterable { case live, record, log, lp, cbor }

  package func board(_ board: BoardID, _ document: BoardDocument) -> String {
    "\(base)/board/\(board)/\(document.rawValue)"
  }

  package func board(_ board: BoardID, _ lane: Lane, _ stream: String) -> String {
    "\(base)/board/\(board)/\(lane.rawValue)/\(stream)"
  }

  package var gatewayAvailability: String { "\(base)/gateway/\(gateway)/availability" }
  /// Of whatever gateway.
  package var gatewayAvailabilityFilter: String { "\(base)/gateway/+/availability" }
  package var gatewayInfo: String { "\(base)/gateway/\(gateway)/info" }
  package var gatewayHealth: String { "\(base)/gateway/\(gateway)/health" }
  package var gatewayAlarms: String { "\(base)/gateway/\(gateway)/alarms" }
  /// Of one of this gateway's rollouts.
  package func rollout(_ id: String) -> String { "\(base)/gateway/\(gateway)/rollout/\(id)" }

  /// Of this gateway's adapters.
  package var adapterFilter: String { "\(base)/gateway/\(gateway)/adapter/+" }
  /// Everything that a gateway publishes of itself.
  package var gatewayDocumentsFilter: String { "\(base)/gateway/\(gateway)/#" }

  /// What a gateway publishes of itself beside its availability and its adapters.
  package var gatewayDocuments: [String] { [gatewayInfo, gatewayHealth, gatewayAlarms] }

  package func adapter(_ adapter: AdapterID) -> String { "\(base)/gateway/\(gateway)/adapter/\(adapter)" }

  package func event(_ kind: EventKind, of subject: Subject) -> String {
    switch subject {
    case .board(let board): "\(base)/board/\(board)/event/\(kind.rawValue)"
    case .gateway: "\(base)/gateway/\(gateway)/event/\(kind.rawValue)"
    }
  }

  package func reply(to target: CommandTarget, _ verb: String) -> String {
    "\(root(of: target))/reply/\(verb)"
  }

  /// Of whatever board.
  package func boardReplyFilter(_ verb: String) -> String { "\(base)/board/+/reply/\(verb)" }

  package func command(to target: CommandTarget, _ verb: String) -> String {
    "\(root(of: target))/cmd/\(verb)"
  }

  private func root(of target: CommandTarget) -> String {
    switch target {
    case .board(let board): "\(base)/board/\(board)"
    case .group(let name): "\(base)/group/\(name)"
    case .gateway(let id): "\(base)/gateway/\(id)"
    }
  }

  /// Filters for the commands this gateway hears, and for what somebody publishes below them by mistake.
  package var commandFilters: [String] {
    ["\(base)/board/+/cmd/#", "\(base)/group/+/cmd/#", "\(base)/gateway/\(gateway)/cmd/#"]
  }

  /// The base topic and the gateway of a document that a gateway publishes of itself; nil for other topics.
  package init?(ofGatewayDocument topic: String) {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = levels.last else { return nil }
    let count = ["info", "health", "alarms", "availability"].contains(last) ? 3 : 4
    let ours = levels.suffix(count)
    guard levels.count > count, ours.first == "gateway", let id = ours.dropFirst().first,
      count == 3 || ["adapter", "rollout"].contains(ours.dropFirst(2).first)
    else { return nil }
    self.init(base: levels.dropLast(count).joined(separator: "/"), gateway: String(id))
  }

  /// The adapter of one of this gateway's documents of adapters; nil for other topics.
  package func adapter(of topic: String) -> AdapterID? {
    let prefix = "\(base)/gateway/\(gateway)/adapter/"
    guard topic.hasPrefix(prefix), let adapter = AdapterID(topic.dropFirst(prefix.count)) else { return nil }
    return topic == self.adapter(adapter) ? adapter : nil
  }

  /// The board of a retained document of a board below this base topic; nil for other topics.
  package func board(of topic: String) -> BoardID? {
    if case .document(let board, _) = parse(topic) { board } else { nil }
  }

  /// How many retained topics a board has.
  package var documentsPerBoard: Int { BoardDocument.allCases.count }

  /// Filters for the retained documents of boards, whoever published them.
  package var boardDocumentFilters: [String] {
    BoardDocument.allCases.map { "\(base)/board/+/\($0.rawValue)" }
  }

  /// A topic that comes in, taken apart.
  package enum Incoming: Hashable, Sendable {
    case command(CommandTarget, verb: String)
    /// Below a command topic, where nothing is: `…/cmd/led/set`.
    case belowCommand(CommandTarget, verb: String)
    case document(BoardID, BoardDocument)
    case ownAvailability
    /// Another gateway's availability.
    case availability(gateway: String)
  }

  /// Whether a topic is one that gateways publish or listen on, of whichever board, group or gateway.
  package func isOurs(_ topic: String) -> Bool {
    ["board", "group", "gateway"].contains { topic.hasPrefix("\(base)/\($0)/") }
  }

  /// Takes a topic apart; nil when it is none of ours.
  package func parse(_ topic: String) -> Incoming? {
    if topic == gatewayAvailability { return .ownAvailability }
    guard topic.hasPrefix(base + "/") else { return nil }
    let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
    if levels.count == 3, levels[0] == "board", let board = Self.boardID(levels[1]),
      let document = BoardDocument(rawValue: String(levels[2]))
    {
      return .document(board, document)
    }
    if levels.count == 3, levels[0] == "gateway", levels[2] == "availability" {
      return .availability(gateway: String(levels[1]))
    }
    guard levels.count >= 4, levels[2] == "cmd", Self.isVerb(levels[3]),
      let target = target(levels[0], String(levels[1]))
    else { return nil }
    let verb = String(levels[3])
    return levels.count == 4 ? .command(target, verb: verb) : .belowCommand(target, verb: verb)
  }

  /// Whom a command topic addresses; nil for nobody of ours.
  private func target(_ kind: Substring, _ name: String) -> CommandTarget? {
    switch kind {
    case "board":
      // People write addresses in either case; answers go out under the one that topics have.
      return Self.boardID(name.lowercased()[...]).map { .board($0) }
    case "group":
      return ParameterType.isName(name, digitsFirst: true, further: "_-") ? .group(name) : nil
    case "gateway": return name == gateway ? .gateway(gateway) : nil
    default: return nil
    }
  }

  /// The board and stream of a sample topic.
  package func source(of topic: String) -> (board: BoardID, stream: String)? {
    guard topic.hasPrefix(base + "/") else { return nil }
    let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4, levels[0] == "board", Lane(rawValue: String(levels[2])) != nil,
      let board = Self.boardID(levels[1])
    else { return nil }
    return (board, String(levels[3]))
  }

  /// The lane that a topic belongs to, and the board it tells of; nil for topics that are not kept for a replay.
  package func origin(of topic: String) -> (lane: ReplayRequest.Lane, board: BoardID?)? {
    guard topic.hasPrefix(base + "/") else { return nil }
    let levels = topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4, let lane = ReplayRequest.Lane(rawValue: String(levels[2])) else { return nil }
    switch levels[0] {
    case "board": return Self.boardID(levels[1]).map { (lane, $0) }
    case "gateway" where lane == .event: return (lane, nil)
    default: return nil
    }
  }

  /// The verb comes back as a level of the reply topic: nothing else than a word may (fault F85).
  private static func isVerb(_ level: Substring) -> Bool {
    (1...64).contains(level.utf8.count)
      && level.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Topics know a board only by twelve lower-case digits.
  private static func boardID(_ level: Substring) -> BoardID? {
    guard let board = BoardID(level), board.description == level else { return nil }
    return board
  }
}
