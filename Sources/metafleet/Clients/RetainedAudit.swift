import Dialects
import FleetModel

/// What the broker retains below the base topic, and of it what should not be there. Pure.
struct RetainedAudit: RetainedListener, Sendable {
  private let base: String
  private var retained: [String: [UInt8]] = [:]
  /// Topics that were heard at all, so that new ones are told from those that are only said again.
  private var heard: Set<String> = []

  init(base: String) { self.base = base }

  /// What passes by, and is never retained by a gateway.
  private static let passing: Set<String> = Set(
    ["cmd", "reply", "event"] + TopicTree.Lane.allCases.map(\.rawValue))

  /// What to listen to. Samples pass by as well: nothing else tells of those that somebody has retained.
  var filters: [String] {
    ["board", "gateway", "group"].flatMap { ["\(base)/\($0)/+/+", "\(base)/\($0)/+/+/#"] }
  }

  /// The same for gateways under other base topics, which a broker need not let us see.
  var filtersOfOthers: [String] {
    ["+/gateway/+/info", "+/gateway/+/availability", "+/+/gateway/+/info", "+/+/gateway/+/availability"]
  }

  mutating func saw(_ message: MQTTMessage) {
    guard message.isRetained || message.payload.isEmpty else { return }
    heard.insert(message.topic)
    retained[message.topic] = message.payload.isEmpty ? nil : message.payload
  }

  /// Whether a message is the first that was retained on its topic.
  func isNew(_ message: MQTTMessage) -> Bool { message.isRetained && !heard.contains(message.topic) }

  /// How many documents there are.
  var count: Int { retained.count }

  /// What clearing these topics would mend.
  var removable: [String] { findings.filter(\.isRemovable).flatMap(\.topics) }

  /// What of a finding is to be removed by now: nothing where it is none any more.
  func stillRemovable(_ finding: RetainedFinding) -> [String] {
    let now = findings.first { $0.kind == finding.kind && $0.subject == finding.subject }
    return finding.topics.filter { now?.topics.contains($0) == true }
  }

  /// Everything that is not as it should be.
  var findings: [RetainedFinding] {
    passingBy + boards + renamed + unknown + unreadable + missing + contested
  }

  // Gateways.

  private struct Gateway {
    var name: TopicTree
    var isOnline: Bool
    /// Nil where its `info` is not that of a gateway of ours, as other programs may have topics that look alike.
    var host: String?
    var hasInfo: Bool
    var boards: Set<String>
  }

  private var gateways: [Gateway] {
    let names = Set(retained.keys.compactMap { TopicTree(ofGatewayDocument: $0) })
    return names.sorted { ($0.base, $0.gateway) < ($1.base, $1.gateway) }.map { name in
      let info = retained[name.gatewayInfo].flatMap { GatewayInfoDocument($0) }
      let availability = retained[name.gatewayAvailability].flatMap { GatewayAvailabilityDocument($0) }
      return Gateway(
        name: name, isOnline: availability?[.state] == .online,
        host: info.flatMap {
          $0[.gateway] == name.gateway && $0[.configurationHash] != nil ? $0[.host] : nil
        },
        hasInfo: info?[.boards] != nil, boards: Set(info?[.boards] ?? []))
    }
  }

  private var own: [Gateway] { gateways.filter { $0.name.base == base } }

  /// Gateways that are offline, and of which one that is online bears the computer's name, or the id elsewhere. Both
  /// are often what an image came with: only one that has a board of the old one by now is the same.
  private var pairs: [(old: TopicTree, new: TopicTree, isSame: Bool)] {
    let all = gateways.filter { $0.host != nil }
    return all.filter { !$0.isOnline }.compactMap { old in
      let alike = all.filter { new in
        new.isOnline && new.name != old.name
          && (new.name.gateway == old.name.gateway || new.host == old.host)
      }
      if let new = alike.first(where: { !$0.boards.isDisjoint(with: old.boards) }) {
        return (old.name, new.name, true)
      }
      return alike.first.map { (old.name, $0.name, false) }
    }
  }

  /// What to listen to besides, once it is known which other base topics there were.
  var filtersElsewhere: [String] {
    pairs.map(\.old).filter { $0.base != base }.flatMap { GoneGateway($0.gateway, base: $0.base).filters }
  }

  private var renamed: [RetainedFinding] {
    pairs.map { old, new, isSame in
      var gone = GoneGateway(old.gateway, base: old.base)
      for (topic, payload) in retained {
        gone.saw(MQTTMessage(topic: topic, payload: payload, isRetained: true))
      }
      return RetainedFinding(
        kind: isSame ? .renamed : .namesake, subject: "gateway \(old.base)/gateway/\(old.gateway)",
        topics: gone.removable,
        sentence: isSame
          ? "it is offline, and \(new.base)/gateway/\(new.gateway) is online with its boards, on the same computer or "
            + "with its id"
          : "it is offline, and \(new.base)/gateway/\(new.gateway), which is online, has its computer's name or its "
            + "id, and none of its boards: it may be another one that is switched off. If it is gone for good: "
            + "metafleet forget gateway:\(old.gateway) --gone\(old.base == base ? "" : " --base \(old.base)")"
      )
    }
  }

  // Boards.

  private var ids: [BoardID: [String: [UInt8]]] {
    let tree = TopicTree(base: base, gateway: "")
    return retained.reduce(into: [:]) { boards, entry in
      if let board = tree.board(of: entry.key) { boards[board, default: [:]][entry.key] = entry.value }
    }
  }

  /// Of which nobody who may look after them is left.
  private var boards: [RetainedFinding] {
    let known = Dictionary(own.map { ($0.name.gateway, $0) }) { first, _ in first }
    return ids.sorted { $0.key < $1.key }.compactMap { board, documents in
      let owners = Set(documents.values.compactMap { DocumentOwner.gateway(in: $0) })
      let isListed = known.values.contains { $0.boards.contains(board.description) }
      // A gateway that is offline may have it still, and so may one of which this user sees no more than that it is.
      let isClaimed = owners.contains { known[$0].map { !$0.isOnline || !$0.hasInfo } ?? false }
      guard !isListed, !isClaimed else { return nil }
      let unseen = owners.subtracting(known.keys).sorted()
      guard unseen.isEmpty, !owners.isEmpty || known.values.allSatisfy(\.hasInfo) else {
        return RetainedFinding(
          kind: .orphan, subject: "board \(board)", topics: documents.keys.sorted(),
          sentence:
            "nothing is to be seen of \(unseen.first.map { "its gateway \($0)" } ?? "a gateway that has it"), or "
            + "not by this user: if that is gone for good, metafleet forget gateway:\(unseen.first ?? "NAME") --gone"
        )
      }
      let who = owners.sorted().joined(separator: ", ")
      return RetainedFinding(
        kind: .board, subject: "board \(board)", topics: documents.keys.sorted(),
        sentence: owners.isEmpty
          ? "no gateway looks after it" : "no gateway looks after it any more; \(who) spoke of it last")
    }
  }

  private var contested: [RetainedFinding] {
    ids.keys.sorted().compactMap { board in
      let names = own.filter { $0.isOnline && $0.boards.contains(board.description) }.map(\.name.gateway)
      guard names.count > 1 else { return nil }
      return RetainedFinding(
        kind: .contested, subject: "board \(board)", topics: [],
        sentence:
          "the gateways \(names.joined(separator: ", ")) look after it, and overwrite each other's documents: "
          + "remove it from all but one")
    }
  }

  private var missing: [RetainedFinding] {
    own.filter(\.isOnline).flatMap { gateway -> [RetainedFinding] in
      let boards = gateway.boards.sorted().compactMap { BoardID($0) }
      let wanted =
        [gateway.name.gatewayInfo, gateway.name.gatewayHealth]
        + boards.map { gateway.name.board($0, .availability) }
      let topics = wanted.filter { retained[$0] == nil }
      // Of other gateways an access list may show no more than that they are there.
      guard !topics.isEmpty, topics.count < wanted.count else { return [] }
      return [
        RetainedFinding(
          kind: .missing, subject: "gateway \(gateway.name.gateway)", topics: topics,
          sentence:
            "these documents of it are missing: it publishes them again by itself, unless the broker refuses them "
            + "(refused_topics of its info)")
      ]
    }
  }

  // Single messages.

  /// The levels below the base topic.
  private func levels(_ topic: String) -> [Substring]? {
    guard topic.hasPrefix(base + "/") else { return nil }
    return topic.dropFirst(base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
  }

  private var passingBy: [RetainedFinding] {
    let topics = retained.keys.filter { topic in
      guard let levels = levels(topic), levels.count >= 4 else { return false }
      return Self.passing.contains(String(levels[2]))
    }
    guard !topics.isEmpty else { return [] }
    return [
      RetainedFinding(
        kind: .passing, subject: "commands, answers, events and samples", topics: topics.sorted(),
        sentence:
          "somebody published them with the retain flag; whoever subscribes gets them as if they were new")
    ]
  }

  private func isDocument(_ topic: String) -> Bool {
    TopicTree(base: base, gateway: "").board(of: topic) != nil || TopicTree(ofGatewayDocument: topic) != nil
  }

  private var unknown: [RetainedFinding] {
    let topics = retained.keys.filter { topic in
      guard let levels = levels(topic), levels.count >= 3, !isDocument(topic) else { return false }
      return !Self.passing.contains(String(levels[2]))
    }
    guard !topics.isEmpty else { return [] }
    return [
      RetainedFinding(
        kind: .unknown, subject: "other topics", topics: topics.sorted(),
        sentence:
          "no document of this version; remove them where nobody needs them: mosquitto_pub -r -n -t TOPIC")
    ]
  }

  private var unreadable: [RetainedFinding] {
    let listed = Set(own.flatMap(\.boards))
    let topics = retained.filter { topic, payload in
      guard topic.hasPrefix(base + "/"), isDocument(topic) else { return false }
      let board = TopicTree(base: base, gateway: "").board(of: topic)
      // Those of boards that nobody has go as a whole.
      guard board.map({ listed.contains($0.description) }) ?? true else { return false }
      return (try? StrictJSON.parse(payload, limits: .trusting))?.object == nil
    }.keys.sorted()
    guard !topics.isEmpty else { return [] }
    return [
      RetainedFinding(
        kind: .unreadable, subject: "documents that cannot be read", topics: topics,
        sentence:
          "somebody overwrote them: a gateway that is online publishes them again within seconds, over "
          + "MQTT 3.1.1 within minutes")
    ]
  }
}
