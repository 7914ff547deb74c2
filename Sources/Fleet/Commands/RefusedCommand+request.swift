import Dialects
import FleetModel

extension RefusedCommand {
  /// What is known of a request that could not be read.
  func request(to target: CommandTarget, _ verb: String, at now: Timestamp) -> CommandRequest {
    var request = CommandRequest(
      id: id, hasSenderID: false, target: target, verb: verb, arguments: JSONObject(), mode: .now,
      expires: now,
      issued: nil, arrived: now, payloadHash: 0, replyTo: replyTo)
    request.sender = sender
    return request
  }
}
