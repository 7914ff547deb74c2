import FleetModel
import Storage

/// A request as the ledger keeps it, so that one that was not yet sent, or a group's job, can be taken up again after a
/// restart.
struct StoredRequest: Hashable, Sendable {
  var request: CommandRequest
  /// Of a group's job: the members as they were when it was accepted.
  var members: [BoardID] = []
  /// Of a member: the job it belongs to.
  var job: CommandEntry.Key?

  init(_ request: CommandRequest, members: [BoardID] = [], of job: CommandEntry.Key? = nil) {
    self.request = request
    self.members = members
    self.job = job
  }

  var bytes: [UInt8] {
    var document: JSONObject = [
      "id": .string(request.id), "sender_id": .bool(request.hasSenderID), "verb": .string(request.verb),
      "args": .object(request.arguments), "mode": .string(request.mode.rawValue),
      "expires_ms": .integer(request.expires.milliseconds), "expiry_given": .bool(request.isExpiryGiven),
      "arrived_ms": .integer(request.arrived.milliseconds),
      "light": .bool(request.isLight), "hash": .string(String(request.delivery.payloadHash, radix: 16)),
      "correlation": .string(Hex.string(request.replyTo.correlationData)),
    ]
    switch request.target {
    case .board(let board): document["board"] = .string(board.description)
    case .group(let name): document["group"] = .string(name)
    case .gateway(let id): document["gateway"] = .string(id)
    }
    document["response_topic"] = request.replyTo.responseTopic.map { .string($0) }
    document["job"] = request.job
    if !request.sender.isEmpty {
      document["sender"] = .array(request.sender.map { [.string($0.name), .string($0.value)] })
    }
    if !members.isEmpty { document["members"] = .array(members.map { .string($0.description) }) }
    document["member_of"] = job.map { ["topic": .string($0.topic), "id": .string($0.id)] }
    return JSONWriter.render(document)
  }

  /// Reads what `bytes` wrote; nil when it is damaged.
  init?(_ bytes: [UInt8]) {
    guard let document = (try? StrictJSON.parse(bytes, limits: .trusting))?.object,
      let id = document["id"]?.string, let verb = document["verb"]?.string,
      let target = Self.target(document), let arguments = document["args"]?.object,
      let mode = document["mode"]?.string.flatMap(CommandRequest.Mode.init),
      let expires = document["expires_ms"]?.integer, let arrived = document["arrived_ms"]?.integer,
      let hash = document["hash"]?.string.flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    request = CommandRequest(
      id: id, hasSenderID: document["sender_id"]?.bool ?? true, target: target, verb: verb,
      arguments: arguments,
      mode: mode, expires: Timestamp(milliseconds: expires), issued: nil,
      arrived: Timestamp(milliseconds: arrived), payloadHash: hash,
      replyTo: ReplyAddress(
        responseTopic: document["response_topic"]?.string,
        correlationData: document["correlation"]?.string.flatMap { Hex.bytes($0) } ?? []))
    request.isLight = document["light"]?.bool ?? false
    request.isExpiryGiven = document["expiry_given"]?.bool ?? false
    request.job = document["job"]
    request.sender = (document["sender"]?.array ?? []).compactMap { pair in
      guard let parts = pair.array, parts.count == 2, let name = parts[0].string, let value = parts[1].string
      else { return nil }
      return UserProperty(name, value)
    }
    members = (document["members"]?.array ?? []).compactMap { $0.string.flatMap { BoardID($0) } }
    if let parent = document["member_of"]?.object, let topic = parent["topic"]?.string,
      let id = parent["id"]?.string
    {
      job = CommandEntry.Key(topic: topic, id: id)
    }
  }

  private static func target(_ document: JSONObject) -> CommandTarget? {
    if let board = document["board"]?.string.flatMap({ BoardID($0) }) { return .board(board) }
    if let group = document["group"]?.string { return .group(group) }
    return document["gateway"]?.string.map { .gateway($0) }
  }
}
