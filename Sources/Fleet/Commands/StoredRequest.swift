import Dialects
import FleetModel

/// A request as the ledger keeps it, so that one that was not yet sent can be taken up again after a restart.
enum StoredRequest {
  static func bytes(_ request: CommandRequest) -> [UInt8] {
    var document: JSONObject = [
      "id": .string(request.id), "sender_id": .bool(request.hasSenderID), "verb": .string(request.verb),
      "args": .object(request.arguments), "mode": .string(request.mode.rawValue),
      "expires_ms": .integer(request.expires.milliseconds),
      "arrived_ms": .integer(request.arrived.milliseconds),
      "light": .bool(request.isLight), "hash": .string(String(request.payloadHash, radix: 16)),
      "correlation": .string(Hex.string(request.correlationData)),
    ]
    switch request.target {
    case .board(let board): document["board"] = .string(board.description)
    case .group(let name): document["group"] = .string(name)
    case .gateway(let id): document["gateway"] = .string(id)
    }
    document["response_topic"] = request.responseTopic.map { .string($0) }
    return JSONWriter.render(document)
  }

  /// Reads what `bytes` wrote; nil when it is damaged.
  static func read(_ bytes: [UInt8]) -> CommandRequest? {
    guard let document = (try? StrictJSON.parse(bytes, limits: .trusting))?.object,
      let id = document["id"]?.string, let verb = document["verb"]?.string, let target = target(document),
      let arguments = document["args"]?.object,
      let mode = document["mode"]?.string.flatMap(CommandRequest.Mode.init),
      let expires = document["expires_ms"]?.integer, let arrived = document["arrived_ms"]?.integer,
      let hash = document["hash"]?.string.flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    var request = CommandRequest(
      id: id, hasSenderID: document["sender_id"]?.bool ?? true, target: target, verb: verb,
      arguments: arguments,
      mode: mode, expires: Timestamp(milliseconds: expires), issued: nil,
      arrived: Timestamp(milliseconds: arrived), payloadHash: hash,
      responseTopic: document["response_topic"]?.string,
      correlationData: document["correlation"]?.string.flatMap { Hex.bytes($0) } ?? [])
    request.isLight = document["light"]?.bool ?? false
    return request
  }

  private static func target(_ document: JSONObject) -> CommandTarget? {
    if let board = document["board"]?.string.flatMap({ BoardID($0) }) { return .board(board) }
    if let group = document["group"]?.string { return .group(group) }
    return document["gateway"]?.string.map { .gateway($0) }
  }
}
