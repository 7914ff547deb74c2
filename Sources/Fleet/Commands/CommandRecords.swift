import Dialects
import FleetModel
import Logging
import Storage

/// Writes commands and their answers down: every answer goes into the ledger and into the outbox in one transaction.
struct CommandRecords: Sendable {
  let store: Store
  let dialect: any Dialect
  let topics: @Sendable (CommandTarget, String) -> String
  let timekeeper: any Timekeeper
  let counters: Counters
  let log: Logger
  /// Says what cannot be written down: nobody waits for an answer because of a disk.
  var sayUnwritten: @Sendable ([FleetEvent]) async -> Void = { _ in }
  /// Hears of what is written down to be published.
  var published: GatewayEnvironment.Published = { _ in }

  func key(of request: CommandRequest) -> CommandEntry.Key {
    CommandEntry.Key(topic: topics(request.target, request.verb), id: request.id)
  }

  /// Enters a command with its first answer, or says what is known of it.
  func begin(
    _ stored: StoredRequest, data: JSONObject = JSONObject()
  ) async throws(StoreFailure) -> CommandPrecedent {
    let first = reply(stored.request, .accepted, data)
    let answer = messages(first)
    let precedent = try await store.commands.begin(
      entry(stored, answer), publishing: answer, auditing: audited(stored.request))
    if precedent == .fresh { say(first) }
    return precedent
  }

  /// Enters a command that ends before it begins, with its one answer.
  func end(
    _ stored: StoredRequest, _ failure: CommandFailure
  ) async throws(StoreFailure) -> CommandPrecedent {
    counters.add(to: .commandsFailed)
    let took = waited(by: stored.request)
    let final = reply(stored.request, .final(.failed(failure), took: took))
    let answer = recorded(messages(final), final)
    var audit = audited(stored.request)
    audit.end = AuditEntry.End(stage: "failed", code: failure.code.rawValue, took: took)
    let precedent = try await store.commands.begin(
      entry(stored, answer), publishing: answer, ended: true, auditing: audit)
    if precedent == .fresh { say(final) }
    return precedent
  }

  /// Whether the command may go to a board now: only what is written down as sent may.
  func sent(_ request: CommandRequest, data: JSONObject = JSONObject()) async -> Bool {
    let stage = reply(request, .sent, data)
    let answer = messages(stage)
    do throws(StoreFailure) {
      try await store.commands.markSent(
        key(of: request), reply: answer.first?.payload ?? [], publishing: answer)
      say(stage)
      return true
    } catch {
      log.error("a command's progress cannot be stored", metadata: ["reason": "\(error)"])
      return false
    }
  }

  /// A stage on the way. `silently`: only for the ledger. Whether it is written down.
  @discardableResult
  func advance(
    _ request: CommandRequest, _ stage: CommandReply.Stage, data: JSONObject = JSONObject(),
    silently isSilent: Bool = false
  ) async -> Bool {
    let stage = reply(request, stage, data)
    let answer = messages(stage)
    do throws(StoreFailure) {
      try await store.commands.advance(
        key(of: request), reply: answer.first?.payload ?? [], publishing: isSilent ? [] : answer)
      if !isSilent { say(stage) }
      return true
    } catch {
      log.error("a command's progress cannot be stored", metadata: ["reason": "\(error)"])
      return false
    }
  }

  /// How long ago a request came in: waiting counts, whatever it waited for.
  func waited(by request: CommandRequest) -> Duration { max(.zero, timekeeper.now - request.arrived) }

  /// The one final answer; false when there was one already.
  func conclude(
    _ request: CommandRequest, _ outcome: CommandOutcome, data: JSONObject = JSONObject()
  ) async -> Bool {
    let took = waited(by: request)
    let final = reply(request, .final(outcome, took: took), data)
    let answer = recorded(messages(final), final)
    do throws(StoreFailure) {
      let isFirst = try await store.commands.finish(
        key(of: request), reply: answer.first?.payload ?? [], publishing: answer,
        auditing: AuditEntry.End(outcome, took: took))
      guard isFirst else { return false }
      say(final)
    } catch {
      log.error("a command's answer cannot be stored", metadata: ["reason": "\(error)"])
      await sayUnwritten([.reply(final)])
    }
    counters.distributions.note(took, in: .commandTime)
    if case .done = outcome { counters.add(to: .commandsOK) } else { counters.add(to: .commandsFailed) }
    return true
  }

  func reply(
    _ request: CommandRequest, _ stage: CommandReply.Stage, _ data: JSONObject = JSONObject()
  ) -> CommandReply {
    var reply = CommandReply(
      id: request.id, target: request.target, verb: request.verb, stage: stage, time: timekeeper.now,
      replyTo: request.replyTo)
    reply.data = data
    return reply
  }

  /// A reply, and its copy where the sender wants it.
  static let mostMessages = 2

  private func say(_ reply: CommandReply) { published { dialect.messages(for: .reply(reply)) } }

  private func messages(_ reply: CommandReply) -> [OutboxMessage] {
    dialect.messages(for: .reply(reply)).compactMap { OutboxMessage($0, created: timekeeper.now) }
  }

  /// The history takes how a command ended, with the first of the messages that tell it. What was refused on arrival is
  /// in the audit trail alone: nobody fills the history by asking.
  private func recorded(_ messages: [OutboxMessage], _ end: CommandReply) -> [OutboxMessage] {
    var messages = messages
    if !messages.isEmpty { messages[0].history = dialect.history(of: end) }
    return messages
  }

  private func entry(_ stored: StoredRequest, _ answer: [OutboxMessage]) -> CommandEntry {
    let request = stored.request
    // A job counts its members by their entries for as long as it may be under way.
    let keptUntil = stored.job.map { _ in
      max(request.arrived, request.expires) + CommandLedger.memory
    }
    return CommandEntry(
      key: key(of: request), isAnonymous: !request.hasSenderID && stored.job == nil,
      payloadHash: request.delivery.payloadHash, firstSeen: request.arrived, expires: request.expires,
      keptUntil: keptUntil, request: stored.bytes, reply: answer.first?.payload ?? [])
  }

  private func audited(_ request: CommandRequest) -> AuditEntry {
    AuditEntry(
      time: request.arrived, target: request.target, verb: request.verb, id: request.id,
      hasSenderID: request.hasSenderID, arguments: JSONWriter.render(request.arguments),
      sender: request.sender, responseTopic: request.replyTo.responseTopic)
  }

  /// Notes who was sent away, and why.
  func audit(refusalOf request: CommandRequest, _ failure: CommandFailure) async {
    var entry = audited(request)
    entry.isRefusal = true
    entry.end = AuditEntry.End(stage: "failed", code: failure.code.rawValue, took: waited(by: request))
    try? await store.audit.note(refusal: entry, topic: topics(request.target, request.verb))
  }
}

extension AuditEntry.End {
  init(_ outcome: CommandOutcome, took: Duration) {
    switch outcome {
    case .done: self.init(stage: "done", took: took)
    case .failed(let failure): self.init(stage: "failed", code: failure.code.rawValue, took: took)
    case .unknown: self.init(stage: "unknown", took: took)
    }
  }
}
