import FleetModel

/// A request as somebody sends it in a seeded run, and what must come of it.
struct SeededCommand: Sendable, Equatable {
  enum Expectation: Sendable, Equatable {
    /// Accepted, and answered finally once.
    case acceptance
    /// Refused with this code and never carried out.
    case refusal(String)
    /// Said before: answered as before and never carried out again.
    case repetition
  }

  /// nil: it is for no board, but for `others`.
  var board: BoardID?
  var verb: String
  var id: String
  /// The value of `args`, as JSON.
  var arguments = "{}"
  var isRetained = false
  /// How long after it is sent it expires; negative for one that has expired; nil for the default.
  var expiresIn: Duration?
  var expectation = Expectation.acceptance
  /// What the board shows if it obeys an `led`: how long its light is on, in ms, which is nobody else's.
  var mark: UInt16?
  /// Whom it is for where that is no board: `group/pumps`, `gateway/test`.
  var others: String?

  var endsLink: Bool { ["reset", "disconnect"].contains(verb) && expectation == .acceptance }

  /// Whom it is for, as its topic says.
  var addressee: String { others ?? board.map { "board/\($0)" } ?? "" }

  var topic: String { "metafleet/\(addressee)/cmd/\(verb)" }

  /// Sent at `now`.
  func message(at now: Timestamp) -> MQTTMessage {
    var text = "{\"id\":\"\(id)\",\"args\":\(arguments)"
    if let expiresIn { text += ",\"expires_ms\":\((now + expiresIn).milliseconds)" }
    return MQTTMessage(topic: topic, payload: Array((text + "}").utf8), isRetained: isRetained)
  }

  static func led(_ board: BoardID, mark: UInt16) -> SeededCommand {
    SeededCommand(
      board: board, verb: "led", id: "led-\(mark)",
      arguments: #"{"color":"green","pattern":"blink","high_ms":\#(mark),"period_ms":60000}"#, mark: mark)
  }
}

extension SeededCommand: CustomStringConvertible {
  var description: String {
    "\(addressee) \(verb) \(id) \(arguments)\(isRetained ? " retained" : "")"
      + (expiresIn.map { " expires in \($0)" } ?? "") + (expectation == .acceptance ? "" : " \(expectation)")
  }
}
