package import FleetModel

/// A message on a command topic, judged as far as that is possible without knowing boards or earlier commands.
package enum IncomingCommand: Sendable {
  /// An empty payload clears a topic; it is never a command and gets no answer.
  case empty
  /// Refused, with the answer to give.
  case refused(RefusedCommand)
  /// Readable; the dispatcher decides.
  case request(CommandRequest)
}

/// A request that cannot be carried out, with what is needed to say so.
package struct RefusedCommand: Hashable, Sendable {
  /// The sender's identifier; a fresh one when it could not be read.
  package var id: String
  package var failure: CommandFailure
  package var replyTo: ReplyAddress
  /// What the sender says of itself.
  package var sender: [UserProperty]

  package init(
    _ id: String, _ failure: CommandFailure, replyTo: ReplyAddress, sender: [UserProperty] = []
  ) {
    (self.id, self.failure, self.replyTo, self.sender) = (id, failure, replyTo, sender)
  }
}

/// Reads requests (MQTT contract 3.1). What the arguments mean is the catalogue's business.
package enum CommandParsing {
  private static let requestKeys: Set<String> = ["id", "args", "mode", "expires_ms", "issued_ms"]

  /// How long a request without `expires_ms` stands, and the longest it may, by mode.
  private static func bounds(
    of mode: CommandRequest.Mode, isConfirmed: Bool
  ) -> (standard: Duration, longest: Duration) {
    switch (mode, isConfirmed) {
    case (.now, false): (.seconds(30), .seconds(600))
    case (.queue, false): (.seconds(86_400), .seconds(7 * 86_400))
    // What is dangerous must not be carried out when nobody thinks of it any more (fault F83).
    case (.now, true): (.seconds(30), .seconds(300))
    case (.queue, true): (.seconds(300), .seconds(300))
    }
  }

  /// Reads `message`. `freshID` makes an identifier where the sender gave none.
  package static func parse(
    _ message: MQTTMessage, target: CommandTarget, verb: String, arrived: Timestamp, freshID: () -> String
  ) -> IncomingCommand {
    guard !message.payload.isEmpty else { return .empty }
    do throws(CommandFailure) {
      if message.isRetained {
        throw CommandFailure(.retained, retained)
      }
      let body = try envelope(message.payload)
      return .request(
        try request(body, message, target: target, verb: verb, arrived: arrived, freshID: freshID))
    } catch {
      return refused(message, error, freshID)
    }
  }

  /// Answers what somebody published below a command topic: nothing is there, and silence would look like a lost
  /// command.
  static func refuseBelow(_ message: MQTTMessage, verb: String, freshID: () -> String) -> IncomingCommand {
    if message.payload.isEmpty { return .empty }
    let failure: CommandFailure =
      message.isRetained
      ? CommandFailure(.retained, retained)
      : .invalid("a command's topic ends with its verb; publish this one on …/cmd/\(verb), arguments in args")
    return refused(message, failure, freshID)
  }

  private static let retained = "commands must not be retained; publish it again without the retain flag"

  private static func refused(
    _ message: MQTTMessage, _ failure: CommandFailure, _ freshID: () -> String
  ) -> IncomingCommand {
    .refused(
      RefusedCommand(
        readableID(message) ?? freshID(), failure, replyTo: replyAddress(message), sender: sender(of: message)
      ))
  }

  /// The object of a payload; bare text, such as Home Assistant's `PRESS`, counts as an empty one.
  private static func envelope(_ payload: [UInt8]) throws(CommandFailure) -> JSONObject {
    let limits = JSONLimits()
    guard payload.count <= limits.bytes else {
      throw .invalid("the payload has \(payload.count) bytes; \(limits.bytes) are allowed")
    }
    let firstInk = payload.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    guard firstInk == UInt8(ascii: "{") else {
      guard String(validating: payload, as: UTF8.self) != nil, !payload.contains(0) else {
        throw .invalid("the payload is not valid UTF-8, or holds U+0000")
      }
      return JSONObject()
    }
    do {
      guard case .object(let object) = try StrictJSON.parse(payload, limits: limits) else {
        throw CommandFailure.invalid("the payload must be a JSON object")
      }
      return object
    } catch let problem as JSONProblem {
      throw .invalid("the payload is not acceptable JSON: \(problem.message) (byte \(problem.offset))")
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw .invalid("the payload cannot be read")
    }
  }

  private static func request(
    _ body: JSONObject, _ message: MQTTMessage, target: CommandTarget, verb: String, arrived: Timestamp,
    freshID: () -> String
  ) throws(CommandFailure) -> CommandRequest {
    let isLight = verb == "led" && body["state"] != nil && body["args"] == nil
    var known = requestKeys
    if isLight { known.formUnion(VerbDefinition.lightKeys) }
    if case .group = target { known.insert("job") }
    for key in body.keys where !known.contains(key) {
      throw .invalid(
        "a request has no key \"\(shown(key))\"; it takes id, args, mode, expires_ms, issued_ms (arguments go into args)"
      )
    }
    let id = try identifier(body)
    let arguments =
      isLight
      ? JSONObject(
        body.members.filter { VerbDefinition.lightKeys.contains($0.key) }.map { ($0.key, $0.value) })
      : try object(body, "args") ?? JSONObject()
    let mode = try mode(body)
    let issued = try time(body, "issued_ms")
    if let issued, arrived.isPlausible, issued > arrived + .seconds(60) {
      throw .invalid("issued_ms is more than 60 s in the future; check the sender's clock")
    }
    let bounds = bounds(of: mode, isConfirmed: isConfirmed(verb, arguments))
    let given = try time(body, "expires_ms")
    var expires = given ?? arrived + bounds.standard
    // A clock that nobody has set cannot tell; the dispatcher refuses such a request.
    if expires > arrived + bounds.longest, arrived.isPlausible {
      throw .invalid(
        "expires_ms may be at most \(DurationText.format(bounds.longest)) ahead in mode \(mode.rawValue)")
    }
    if let seconds = message.properties.expiryInterval {
      expires = min(expires, arrived + .seconds(Int64(seconds)))
    }
    var request = CommandRequest(
      id: id ?? freshID(), hasSenderID: id != nil, target: target, verb: verb, arguments: arguments,
      mode: mode,
      expires: expires, issued: issued, arrived: arrived, payloadHash: StableHash.of(message.payload),
      replyTo: replyAddress(message))
    request.delivery.isRedelivery = message.isRedelivery
    request.isLight = isLight
    request.isExpiryGiven = given != nil
    request.job = body["job"]
    request.sender = sender(of: message)
    return request
  }

  private static func sender(of message: MQTTMessage) -> [UserProperty] {
    message.properties.user.map { UserProperty($0.name, $0.value) }
  }

  /// Whether it releases something dangerous, itself or as one command of a batch.
  private static func isConfirmed(_ verb: String, _ arguments: JSONObject) -> Bool {
    if arguments["confirm"] != nil { return true }
    guard verb == BatchVerb.name else { return false }
    return BatchVerb.commands(in: arguments).contains { $0.arguments["confirm"] != nil }
  }

  /// What somebody sent, short and harmless (fault F85).
  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let beginning = scalars.prefix(shownLength).map { $0.escaped(asASCII: true) }.joined()
    return scalars.count > shownLength ? beginning + "..." : beginning
  }

  private static let shownLength = 40

  private static func identifier(_ body: JSONObject) throws(CommandFailure) -> String? {
    guard let value = body["id"] else { return nil }
    guard let id = value.string, ParameterType.isIdentifier(id) else {
      throw .invalid(
        "id must be 1 to 64 characters of A-Z a-z 0-9 . _ -, not \(shown(JSONWriter.text(of: value)))")
    }
    return id
  }

  /// Where the sender wants the answer; a topic that cannot be published on is none (fault F85).
  private static func replyAddress(_ message: MQTTMessage) -> ReplyAddress {
    let topic = message.properties.responseTopic.flatMap { topic in
      let isPublishable =
        !topic.isEmpty
        && topic.utf8.allSatisfy { $0 != 0 && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "#") }
      return isPublishable ? topic : nil
    }
    return ReplyAddress(responseTopic: topic, correlationData: message.properties.correlationData)
  }

  /// The identifier of a request that is refused for another reason, so that its sender recognises the answer.
  private static func readableID(_ message: MQTTMessage) -> String? {
    guard case .object(let body)? = try? StrictJSON.parse(message.payload) else { return nil }
    return (try? identifier(body)) ?? nil
  }

  private static func object(_ body: JSONObject, _ key: String) throws(CommandFailure) -> JSONObject? {
    guard let value = body[key] else { return nil }
    guard let object = value.object else { throw .invalid("\(key) must be an object") }
    return object
  }

  private static func mode(_ body: JSONObject) throws(CommandFailure) -> CommandRequest.Mode {
    guard let value = body["mode"] else { return .now }
    guard let mode = value.string.flatMap(CommandRequest.Mode.init) else {
      throw .invalid("mode must be now or queue")
    }
    return mode
  }

  private static func time(_ body: JSONObject, _ key: String) throws(CommandFailure) -> Timestamp? {
    guard let value = body[key] else { return nil }
    guard let milliseconds = value.integer else {
      throw .invalid("\(key) must be a whole number of milliseconds since 1970")
    }
    return Timestamp(milliseconds: milliseconds)
  }
}
