import Dialects
import FleetModel

/// Compares the broker's retained documents with ours after a connect: what is missing or stale is said again, what
/// we are responsible for and no longer know is removed (MQTT API 4).
struct RetainedReconciler: Sendable {
  private var retained: [String: [UInt8]] = [:]
  private var boardTopics: [BoardID: Set<String>] = [:]
  /// All gateways that speak for a board: two, where it has moved.
  private var owners: [BoardID: Set<String>] = [:]

  init() {}

  /// Takes a retained document as the broker holds it, whoever it tells of.
  mutating func saw(topic: String, payload: [UInt8]) { retained[topic] = payload.isEmpty ? nil : payload }

  /// Takes a retained document of a board as the broker holds it.
  mutating func saw(_ board: BoardID, topic: String, payload: [UInt8]) {
    saw(board, topic: topic, payload: payload, owner: DocumentOwner.gateway(in: payload))
  }

  /// The same of a document that says otherwise, or not at all, who published it.
  mutating func saw(_ board: BoardID, topic: String, payload: [UInt8], owner: String?) {
    guard !payload.isEmpty else { return }
    retained[topic] = payload
    boardTopics[board, default: []].insert(topic)
    if let owner { owners[board, default: []].insert(owner) }
  }

  /// The topics on which something stands.
  var topics: Set<String> { Set(retained.keys) }

  /// Which of `ours` must be published again.
  func stale(_ ours: [OutgoingMessage]) -> [OutgoingMessage] {
    ours.filter { retained[$0.message.topic] != $0.message.payload }
  }

  /// What was done to those of `topics` that are not as they should be.
  func changes(of topics: some Sequence<String>) -> [String: RetainedWatch.Change] {
    Dictionary(
      topics.map { ($0, retained[$0] == nil ? .cleared : .altered) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether what stands on a topic says that another gateway has said it: it may have the board by now.
  func isOfAnother(_ topic: String, than gateway: String) -> Bool {
    retained[topic].flatMap { DocumentOwner.gateway(in: $0) }.map { $0 != gateway } ?? false
  }

  /// Topics of boards that say they are this gateway's alone and are not; `names` are the ids that it has, and had.
  func orphans(names: Set<String>, boards: Set<BoardID>) -> [String] {
    boardTopics.filter { board, _ in
      !boards.contains(board) && owners[board].map { $0.isSubset(of: names) } ?? false
    }.flatMap(\.value).sorted()
  }
}

/// What the broker retains, while a connection looks at it: a look of another connection is not this one. Confined to
/// its uplink.
final class RetainedLook {
  var seen = RetainedReconciler()
  /// What earlier runs left, once it is known where to look for that.
  var earlier: EarlierDocuments?
}
