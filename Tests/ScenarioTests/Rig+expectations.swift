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

  func healthIsTold(after mark: Int) async {
    await broker.message(after: mark) { $0.topic == "metafleet/gateway/test/health" }
  }

  /// How many lost links were told so far.
  func lossesTold(_ boards: [BoardID]) async -> [Int] {
    let published = await broker.published
    return boards.map { board in published.count { $0.topic == Self.topic(board, "event/link-lost") } }
  }
}
