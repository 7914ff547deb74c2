package import FleetModel

/// What earlier runs of a gateway left on the broker, beside the boards under its present name: documents of its
/// adapters, and everything under a base topic or an id that it had before. Pure.
package struct EarlierDocuments: Sendable {
  /// An adapter that an earlier run told of.
  package struct Adapter: Hashable, Sendable {
    package var id: AdapterID
    package var name: String
    /// When it was last there.
    package var lastSeen: Timestamp
  }

  private let now: TopicTree
  /// Names that the gateway had, each with what it has published under it.
  private let former: [TopicTree: [String]]
  private var seen: [String: [UInt8]] = [:]

  /// `published` are the topics that runs until now have published, as the disk remembers them.
  package init(published: some Sequence<String>, now: TopicTree) {
    self.now = now
    let all = Array(published)
    let names = Set(all.compactMap { TopicTree(ofGatewayDocument: $0) }).subtracting([now])
    former = Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, all.filter { TopicTree(ofGatewayDocument: $0) == name || Self.isBoard($0, of: name, now) })
      })
  }

  /// Below the present base topic boards are not left over: they have a new gateway.
  private static func isBoard(_ topic: String, of name: TopicTree, _ now: TopicTree) -> Bool {
    name.base != now.base && name.board(of: topic) != nil
  }

  /// What to listen to for a moment.
  package var filters: [String] {
    let names = former.keys.sorted { ($0.base, $0.gateway) < ($1.base, $1.gateway) }
    let bases = Set(names.map(\.base)).subtracting([now.base]).sorted()
    return [now.adapterFilter] + names.map(\.gatewayAvailability)
      + bases.flatMap { TopicTree(base: $0, gateway: "").boardDocumentFilters }
  }

  /// Takes a retained document. Those of the present boards, which are many, say nothing here.
  package mutating func saw(_ topic: String, _ payload: [UInt8]) {
    guard !payload.isEmpty else { return }
    let isWanted =
      now.adapter(of: topic) != nil
      || former.keys.contains { topic == $0.gatewayAvailability || Self.isBoard(topic, of: $0, now) }
    if isWanted { seen[topic] = payload }
  }

  /// Adapters of which a document of this gateway stands on the broker.
  package var adapters: [Adapter] {
    seen.compactMap { topic, payload in
      guard let id = now.adapter(of: topic), let document = AdapterDocument(payload),
        let lastSeen = document[.lastSeen] ?? document[.time]
      else { return nil }
      return Adapter(id: id, name: document[.name] ?? id.description, lastSeen: lastSeen)
    }.sorted { $0.id < $1.id }
  }

  /// Former names that a gateway which is online has by now: they are left to it.
  package var namesInUse: [String] { former.keys.filter(isInUse).map(Self.text).sorted() }

  /// Former names whose documents are removed.
  package var abandoned: [String] { former.keys.filter { !isInUse($0) }.map(Self.text).sorted() }

  /// Ids that the gateway had below its present base topic and nobody has now.
  package var abandonedIDs: Set<String> {
    Set(former.keys.filter { $0.base == now.base && !isInUse($0) }.map(\.gateway))
  }

  /// Retained topics of earlier runs that nobody is responsible for any more.
  package var removable: [String] {
    former.filter { !isInUse($0.key) }.flatMap { name, topics in
      topics.filter { topic in name.board(of: topic).map { !isOfOthers($0, name) } ?? true }
        + [name.gatewayAvailability]
    }.sorted()
  }

  private func isInUse(_ name: TopicTree) -> Bool {
    seen[name.gatewayAvailability].flatMap { GatewayAvailabilityDocument($0) }?[.state] == .online
  }

  /// Whether another gateway speaks for a board below a former base topic.
  private func isOfOthers(_ board: BoardID, _ name: TopicTree) -> Bool {
    let ours = Set(former.keys.filter { $0.base == name.base }.map(\.gateway))
    return TopicTree.BoardDocument.allCases.contains { document in
      guard let payload = seen[name.board(board, document)] else { return false }
      return DocumentOwner.gateway(in: payload).map { !ours.contains($0) } ?? false
    }
  }

  private static func text(_ name: TopicTree) -> String { "\(name.base)/gateway/\(name.gateway)" }
}

/// Which gateway has published a document of a board.
package enum DocumentOwner {
  /// Its id; nil where the document does not say it, or cannot be read.
  package static func gateway(in payload: [UInt8]) -> String? {
    (try? StrictJSON.parse(payload, limits: .trusting))?.object?["gw"]?.string
  }
}
