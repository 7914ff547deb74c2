import Dialects
import FleetModel
import Support

/// What scenarios wait for: always something that was published, never a time. `mark` is where to look from.
extension Rig {
  private static func topic(_ board: BoardID, _ rest: String) -> String { "metafleet/board/\(board)/\(rest)" }

  /// The board is connected, and a session of its stream begins.
  func streams(_ board: BoardID, after mark: Int) async {
    await broker.message(after: mark) {
      $0.topic == Self.topic(board, "availability") && $0.says("\"connected\"")
    }
    await broker.message(after: mark) {
      $0.topic == Self.topic(board, "record/acceleration") && $0.says("\"seq\":0,")
    }
  }

  /// Samples come, of whatever session.
  func records(_ board: BoardID, after mark: Int) async {
    await broker.message(after: mark) { $0.topic == Self.topic(board, "record/acceleration") }
  }

  func isLost(_ board: BoardID, after mark: Int) async {
    await broker.message(after: mark) { $0.topic == Self.topic(board, "event/link-lost") }
  }

  func isConnecting(_ board: BoardID, after mark: Int) async {
    await broker.message(after: mark) {
      $0.topic == Self.topic(board, "state") && $0.says("\"link\":\"connecting\"")
    }
  }

  func busIsLost(_ board: BoardID, after mark: Int) async {
    await broker.message(after: mark) {
      $0.topic == Self.topic(board, "availability") && $0.says("\"bus-lost\"")
    }
  }

  /// Health comes that is 20 s younger than the first one after `mark`.
  func healthIsTold(after mark: Int) async {
    @Sendable func uptime(_ message: MQTTMessage) -> Int? {
      guard message.topic == "metafleet/gateway/test/health" else { return nil }
      return message.text.firstMatch(of: /"uptime_s":([0-9]+)/).flatMap { Int($0.1) }
    }
    let first = uptime(await broker.message(after: mark) { uptime($0) != nil }) ?? 0
    await broker.message(after: mark) { uptime($0) ?? 0 >= first + 20 }
  }

  /// The adapter that a board streams over, as its state says after `mark`.
  func adapter(of board: BoardID, after mark: Int) async -> String {
    let message = await broker.message(after: mark) {
      $0.topic == Self.topic(board, "state") && $0.says("\"link\":\"streaming\"")
    }
    return message.text.firstMatch(of: /"adapter":"([0-9a-f]+)"/).map { String($0.1) } ?? ""
  }

  /// A board streams, and over that adapter.
  func streams(_ board: BoardID, over adapter: String, after mark: Int) async {
    await broker.message(after: mark) {
      $0.topic == Self.topic(board, "state") && $0.says("\"link\":\"streaming\"")
        && $0.says("\"adapter\":\"\(adapter)\"")
    }
  }

  /// An adapter of this gateway, as its document says first that it can be used.
  func adapterIsUp(after mark: Int) async {
    await broker.message(after: mark) {
      $0.topic.hasPrefix("metafleet/gateway/test/adapter/") && $0.says("\"state\":\"up\"")
        && $0.says("\"slots_used\":0")
    }
  }

  /// The losses of each board's link that were told since.
  func lossesReported(_ boards: [BoardID], after mark: Int = 0) async -> [[String]] {
    let published = await broker.published[mark...]
    return boards.map { board in
      published.filter { $0.topic == Self.topic(board, "event/link-lost") }.map(\.text)
    }
  }

  /// Those whose samples came.
  func boardsWithRecords(_ boards: [BoardID], after mark: Int) async -> Set<BoardID> {
    let topics = Set(await broker.published[mark...].map(\.topic))
    return Set(boards.filter { topics.contains(Self.topic($0, "record/acceleration")) })
  }

  /// `link` of each board's state, as it was told last.
  func links(of boards: [BoardID]) async -> [BoardID: String] {
    let retained = await broker.retained
    var links: [BoardID: String] = [:]
    for board in boards {
      guard let payload = retained[Self.topic(board, "state")] else { continue }
      let text = String(decoding: payload, as: UTF8.self)
      links[board] = text.firstMatch(of: /"link":"([a-z-]+)"/).map { String($0.1) }
    }
    return links
  }
}
