import Dialects
import FleetModel
import Web

/// A command that came over HTTP: the message that would have come from the broker, and who sent it. Pure.
struct WebCommand: Hashable, Sendable {
  /// More than a command has of either, with what is around it.
  private static let limits: JSONLimits = {
    var limits = JSONLimits()
    (limits.bytes, limits.depth) = (65_536, limits.depth + 2)
    return limits
  }()

  let message: MQTTMessage

  /// Reads `{"topic": "board/<id>/cmd/<verb>", "payload": {…}}`, whose topic is one below `base`.
  init(_ body: [UInt8], below base: String, from peer: Peer) throws(CommandFailure) {
    let object: JSONObject?
    do throws(JSONProblem) { object = try StrictJSON.parse(body, limits: Self.limits).object } catch {
      throw .invalid("the body is not acceptable JSON: \(error.message) (byte \(error.offset))")
    }
    guard let object, let topic = object["topic"]?.string, let payload = object["payload"]?.object,
      object.members.count == 2
    else {
      throw .invalid("a command is an object with topic, such as board/<id>/cmd/led, and payload, an object")
    }
    var message = MQTTMessage(topic: "\(base)/\(topic)", payload: JSONWriter.render(payload))
    message.properties.user = Self.sender(peer)
    self.message = message
  }

  /// What the audit trail keeps of who it was (fault F242).
  private static func sender(_ peer: Peer) -> [UserProperty] {
    [UserProperty("origin", "http"), UserProperty("peer", peer.description)]
  }

  /// What is to be done about a command.
  enum Judgement: Sendable {
    /// The gateway gets it, and an answer comes.
    case pass(id: String)
    /// The gateway gets it, for its audit trail, and refuses it; so do we.
    case refuse(Int, id: String, String)
  }

  /// What becomes of a command by what it is, and by the verbs that may be sent over HTTP; with what the gateway gets.
  static func judge(
    _ command: IncomingCommand, by rule: HTTPCommandRule
  ) -> (judgement: Judgement, command: IncomingCommand)? {
    switch command {
    case .empty: return nil
    case .refused(let refused): return (.refuse(400, id: refused.id, refused.failure.message), command)
    case .request(let request):
      guard let verb = rule.firstRefused(among: request.verbs) else {
        return (.pass(id: request.id), command)
      }
      let failure = CommandFailure(
        .denied, "\(verb) may not be sent over HTTP; http.commands in the file names what may")
      let refused = RefusedCommand(request.id, failure, replyTo: request.replyTo, sender: request.sender)
      return (.refuse(403, id: request.id, failure.message), .refused(refused))
    }
  }
}
