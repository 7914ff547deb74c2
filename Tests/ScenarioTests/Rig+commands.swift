import Dialects
import FleetModel
import Support
import Testing

/// Commands of scenarios, and their final answers.
extension Rig {
  /// Waits until the board is connected.
  func isConnected(_ board: BoardID, after mark: Int = 0) async {
    await broker.message(after: mark) {
      $0.topic == "metafleet/board/\(board)/availability" && $0.says("\"connected\"")
    }
  }

  /// The final answer to `verb`, whose arguments are the members of a JSON object. Over a real bus it may begin as late
  /// as it likes: a computer that stands still for half a minute is no reason to refuse it.
  @discardableResult
  func command(_ verb: String, _ arguments: String = "", on board: BoardID) async -> String {
    let root = "metafleet/board/\(board)"
    let mark = await broker.mark
    let mode = depth == .privateBus ? "queue" : "now"
    await broker.send(
      "\(root)/cmd/\(verb)", #"{"id":"\#(mark)","mode":"\#(mode)","args":{\#(arguments)}}"#)
    let reply = await broker.message(after: mark) {
      $0.topic == "\(root)/reply/\(verb)" && $0.says("\"id\":\"\(mark)\"") && $0.says("\"ok\"")
    }.text
    for problem in DeclaredReply.problems(in: reply) { Issue.record("\(problem): \(reply)") }
    return reply
  }

  /// Acts as if the button of the board went down or up.
  func press(_ isPressed: Bool, _ board: BoardID) async {
    await command(
      "raw", #""confirm":"\#(board)","hex":"fe030101000\#(isPressed ? 1 : 0)""#, on: board)
  }
}
