import Dialects
import EventLoops
import FleetModel
import Foundation

/// A command as it goes out, and the talk that follows.
struct SendRequest: Sendable {
  private let id: String
  private let verb: String
  private let arguments: JSONObject
  private let body: JSONObject
  /// How long the work may wait to begin.
  private let timeout: Duration
  /// What is printed of a board's final reply, by the board's name; nil: replies are printed stage by stage.
  var sentence: (@Sendable (ReplyDocument, _ name: String) -> String)?

  /// What gateways assume when nothing is said (MQTT contract 3.1).
  private static let standard = (now: Duration.seconds(30), queue: Duration.seconds(86_400))
  /// Who hears nothing for so long sends the same again (MQTT contract 3.1): the broker may have acknowledged what the
  /// gateway lost in a crash.
  private static let resendInterval = Duration.seconds(10)
  /// An answer that is not there so long after the expiry does not come (MQTT contract 8).
  private static let grace = Duration.seconds(10)

  init(
    verb: String, arguments: JSONObject, isQueued: Bool, expires: Duration?, id: String?
  ) throws(CommandLineFailure) {
    guard ParameterType.isName(verb, digitsFirst: false, further: "-") else {
      throw CommandLineFailure(.usage, "\(quoted(verb)) is not a verb")
    }
    if let id, !ParameterType.isIdentifier(id) {
      throw CommandLineFailure(
        .usage, "--id must be 1 to 64 characters of A-Z a-z 0-9 . _ -, not \(quoted(id))")
    }
    var random = SystemRandomNumberGenerator()
    self.verb = verb
    self.arguments = arguments
    self.id = id ?? ULID(at: .system, using: &random).description
    timeout = expires ?? (isQueued ? Self.standard.queue : Self.standard.now)
    var body: JSONObject = ["id": .string(self.id), "args": .object(arguments)]
    if isQueued { body["mode"] = "queue" }
    // Left out where the standard is meant: a gateway whose clock is not set cannot judge a point in time.
    if let expires { body["expires_ms"] = .integer((Timestamp.system + expires).milliseconds) }
    self.body = body
  }

  /// Throws what is misspelt.
  func check(for target: CommandTarget) throws(CommandLineFailure) {
    try CommandCheck.judge(verb: verb, arguments: arguments, for: target)
  }

  /// Sends it and prints the replies as they come, but for those that `take` takes; the exit status when it is over.
  func perform(
    on session: ClientSession, target: CommandTarget, in fleet: FleetView, json: Bool,
    resendingAfter interval: Duration = resendInterval, take: (ReplyDocument) -> Bool = { _ in false }
  ) async throws -> ExitStatus {
    let topics = TopicTree(base: session.settings.base, gateway: "")
    try await session.subscribe(to: [topics.reply(to: target, verb)], .atLeastOnce)
    var answers = GroupAnswers(job: id)
    if case .group = target { await listenToMembers(on: session, topics) }
    var outcome = SendOutcome(id: id, gateways: fleet.gateways(of: target))
    let message = request(to: topics.command(to: target, verb))
    await session.publish(message)
    let timers = [
      session.set(.resend, after: interval), session.set(.deadline, after: timeout + Self.grace),
    ]
    // Another request may follow on this connection.
    defer { for timer in timers { timer.cancel() } }
    for await event in session.events {
      switch event {
      case .message(let message):
        guard let reply = ReplyDocument(message.payload) else { continue }
        if answers.takes(reply) {
          try printMember(reply, names: fleet.names, json: json)
        } else if outcome.received(reply) {
          if take(reply) { break }
          try print(reply, names: fleet.names, told: answers.told, json: json)
          noteMissing(reply, answers)
        }
      case .acknowledged(.denied?):
        throw BrokerExplanation.denied(publishingOn: message.topic, of: session.settings)
      case .acknowledged(let failure?): throw session.explain(failure)
      case .timer(.resend):
        guard !outcome.isHeard else { break }
        Console.note("metafleet: no answer yet; sent again with the same id, so that it runs once")
        await session.publish(message)
        session.set(.resend, after: interval)
      case .timer(.deadline):
        outcome.expired()
        Console.note("metafleet: no final answer; --id \(id) asks again without running it twice")
      case .lost(let failure):
        Console.note("metafleet: \(session.explain(failure).message)")
        Console.note("metafleet: no final answer; --id \(id) asks again without running it twice")
        return .tryLater
      case .acknowledged, .timer, .terminal: break
      }
      if let status = outcome.status { return status }
    }
    return .tryLater
  }

  private func request(to topic: String) -> MQTTMessage {
    let process = ProcessInfo.processInfo
    var message = MQTTMessage(topic: topic, payload: JSONWriter.render(body))
    message.properties.user = [
      SenderIdentity.property(
        user: process.userName, sudoer: process.environment["SUDO_USER"], host: process.hostName)
    ]
    return message
  }

  /// What members answer is worth less than the command: whoever may not read it may still send.
  private func listenToMembers(on session: ClientSession, _ topics: TopicTree) async {
    do throws(CommandLineFailure) {
      try await session.subscribe(to: [topics.boardReplyFilter(verb)], .atLeastOnce)
    } catch {
      Console.note("metafleet: what each board answers cannot be read: \(error.message)")
    }
  }

  private func print(
    _ reply: ReplyDocument, names: [String: String], told: Set<String>, json: Bool
  ) throws(OutputFailure) {
    if json { return try Console.line(JSONText.of(reply.json.json)) }
    for line in lines(of: reply, names: names, told: told) { try Console.line(line) }
  }

  private func lines(of reply: ReplyDocument, names: [String: String], told: Set<String>) -> [String] {
    let plain = { ReplyText.lines(of: reply, now: .system, names: names, told: told) }
    guard let sentence else { return plain() }
    guard reply[.stage]?.isFinal == true else { return [] }
    if let board = reply[.board] { return [printable(sentence(reply, names[board] ?? board))] }
    // A group's job that did not begin has a reason of its own.
    guard JobText.isJob(reply), let data = reply[.data] else { return plain() }
    return JobText.failures(data, names: names, told: told).map { printable($0) }
  }

  private func printMember(_ reply: ReplyDocument, names: [String: String], json: Bool) throws(OutputFailure)
  {
    if json { return try Console.line(JSONText.of(reply.json.json)) }
    if let sentence {
      let board = reply[.board] ?? "?"
      return try Console.line(printable(sentence(reply, names[board] ?? board)))
    }
    if let line = GroupAnswers.line(of: reply, names: names) { try Console.line(line) }
  }

  /// Answers that were published before, or that the broker keeps from us, are not there.
  private func noteMissing(_ reply: ReplyDocument, _ answers: GroupAnswers) {
    guard JobText.isJob(reply), reply[.isDuplicate] == true, reply[.stage]?.isFinal == true,
      answers.missing(of: Int(clamping: reply[.data]?["done"]?.integer ?? 0)) > 0
    else { return }
    Console.note(
      "metafleet: the boards answered when the command ran; send it without --id, or with another, to ask them again"
    )
  }
}

extension FleetView {
  /// Names of boards by id, of those that have one.
  var names: [String: String] {
    let named = boards.values.filter { $0.info?[.name] != nil }.map { ($0.id.description, $0.name) }
    return Dictionary(named) { first, _ in first }
  }

  /// The gateways whose final replies are to come: for a group those with members.
  fileprivate func gateways(of target: CommandTarget) -> Set<String> {
    guard case .group(let name) = target else { return [] }
    return Set(boards.values.filter { name == "all" || $0.groups.contains(name) }.compactMap(\.gateway))
  }
}
