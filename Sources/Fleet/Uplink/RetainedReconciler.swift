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

  /// Which of `ours` must be published again.
  func stale(_ ours: [OutgoingMessage]) -> [OutgoingMessage] {
    ours.filter { retained[$0.message.topic] != $0.message.payload }
  }

  /// Topics of boards that say they are this gateway's alone and are not; `names` are the ids that it has, and had.
  func orphans(names: Set<String>, boards: Set<BoardID>) -> [String] {
    boardTopics.filter { board, _ in
      !boards.contains(board) && owners[board].map { $0.isSubset(of: names) } ?? false
    }.flatMap(\.value).sorted()
  }
}
