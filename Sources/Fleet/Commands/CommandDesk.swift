import Dialects
import FleetModel
import Logging
import Storage

/// Every command passes here once: recognised if it is a repeat, judged, written down, carried out, answered.
actor CommandDesk {
  /// Who carries commands out.
  struct Routes: Sendable {
    /// nil: not a board of ours.
    var board: @Sendable (BoardID) async -> BoardSupervisor?
    var gateway: @Sendable (Intent, CommandStages) async -> CommandOutcome
    /// Whether another gateway has published the board.
    var isOwnedElsewhere: @Sendable (BoardID) async -> Bool
    /// The outbox has something new.
    var published: @Sendable () async -> Void
    var deliver: @Sendable ([FleetEvent]) async -> Void
  }

  private struct Job: Sendable {
    var request: CommandRequest
    var intent: Intent
    var key: CommandEntry.Key
  }

  /// What takes its time, and must not hold up the next message.
  private enum Errand: Sendable {
    case job(Job)
    /// A command for a board that is not ours, and may be another gateway's.
    case stranger(BoardID, verb: String, IncomingCommand)
  }

  private let store: Store
  private let dialect: any Dialect
  private let topics: @Sendable (CommandTarget, String) -> String
  private let timekeeper: any Timekeeper
  private let counters: Counters
  private let gateway: String
  private let log: Logger
  private var routes: Routes?
  private var admission: CommandAdmission
  private var refusals = RefusalBudget()
  private var random: SeededGenerator
  private let errands: AsyncStream<Errand>
  private let feed: AsyncStream<Errand>.Continuation
  private var strangers = 0

  /// How long a redelivered request without an id is recognised (MQTT contract 3.1).
  static let anonymousMemory = Duration.seconds(600)
  /// Commands for boards that are not ours which may wait for an answer at once; of more than are answered in a second
  /// nobody learns anyway.
  static let strangerLimit = 32

  init(
    store: Store, dialect: any Dialect, topics: @escaping @Sendable (CommandTarget, String) -> String,
    timekeeper: any Timekeeper, counters: Counters, gateway: String, limits: CommandLimits, seed: UInt64,
    log: Logger
  ) {
    self.store = store
    self.dialect = dialect
    self.topics = topics
    self.timekeeper = timekeeper
    self.counters = counters
    self.gateway = gateway
    self.log = log
    admission = CommandAdmission(limits: limits)
    random = SeededGenerator(seed: seed)
    (errands, feed) = AsyncStream.makeStream()
  }

  func connect(_ routes: Routes) { self.routes = routes }

  /// Judges by other limits from now on.
  func change(to limits: CommandLimits) { admission.limits = limits }

  /// Carries out what was admitted, each command in its own task, until cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await errand in errands {
        group.addTask {
          switch errand {
          case .job(let job): await self.execute(job)
          case .stranger(let board, let verb, let command): await self.answerStranger(board, verb, command)
          }
        }
      }
    }
  }

  /// Answers what the last run left open: what may have run is `unknown`, what has not is taken up again.
  func recover() async {
    let open: [UnfinishedCommand]
    do throws(StoreFailure) { open = try await store.unfinishedCommands() } catch {
      return log.error("the command ledger cannot be read", metadata: ["reason": "\(error)"])
    }
    for command in open {
      guard let request = StoredRequest.read(command.entry.request) else {
        _ = try? await store.finish(command.entry.key, reply: [], publishing: [])
        continue
      }
      if command.wasSent {
        await conclude(
          request, command.entry.key,
          .unknown(message: "the gateway was restarted while the command ran; it may have been done"))
        continue
      }
      do throws(CommandFailure) {
        let (groups, chains) = await standing(of: request.target)
        let intent = try admission.admit(request, in: groups, having: chains, at: timekeeper.now)
        feed.yield(.job(Job(request: request, intent: intent, key: command.entry.key)))
      } catch {
        await conclude(request, command.entry.key, .failed(error))
      }
    }
  }

  /// Takes a message from a command topic.
  func submit(_ target: CommandTarget, _ verb: String, _ command: IncomingCommand) async {
    if case .empty = command { return counters.add(to: .commandsEmpty) }
    if case .board(let board) = target, await routes?.board(board) == nil {
      guard strangers < Self.strangerLimit else { return counters.add(to: .refusalsSuppressed) }
      strangers += 1
      feed.yield(.stranger(board, verb: verb, command))
      return
    }
    await judge(target, verb, command)
  }

  /// Silence when another gateway has the board; it will answer.
  private func answerStranger(_ board: BoardID, _ verb: String, _ command: IncomingCommand) async {
    defer { strangers -= 1 }
    guard await routes?.isOwnedElsewhere(board) != true else { return }
    await judge(.board(board), verb, command)
  }

  private func judge(_ target: CommandTarget, _ verb: String, _ command: IncomingCommand) async {
    switch command {
    case .empty: break
    case .refused(let refused):
      if refused.failure.code == .retained { await tellRetained(target, verb, refused.id) }
      await refuse(
        refused.id, target, verb, refused.failure, responseTopic: refused.responseTopic,
        correlationData: refused.correlationData)
    case .request(let request): await submit(request)
    }
  }

  private func submit(_ request: CommandRequest) async {
    if case .board(let board) = request.target, await routes?.board(board) == nil {
      return await refuse(request, CommandFailure(.unreachable, "the board is not admitted; admit it first"))
    }
    if case .group = request.target {
      return await refuse(request, CommandFailure(.unsupported, "this version takes no group commands"))
    }
    let key = CommandEntry.Key(topic: topics(request.target, request.verb), id: request.id)
    do throws(StoreFailure) {
      if let precedent = try await precedent(of: request, key) { return await answer(request, precedent) }
      let intent: Intent
      let (groups, chains) = await standing(of: request.target)
      do throws(CommandFailure) {
        intent = try admission.admit(request, in: groups, having: chains, at: timekeeper.now)
      } catch {
        return await refuse(request, error)
      }
      let accepted = messages(reply(request, .accepted))
      let entry = CommandEntry(
        key: key, isAnonymous: !request.hasSenderID, payloadHash: request.payloadHash,
        firstSeen: request.arrived,
        expires: request.expires, request: StoredRequest.bytes(request), reply: accepted.first?.payload ?? [])
      let outcome = try await store.begin(entry, publishing: accepted)
      guard outcome == .fresh else {
        admission.finished(request.target)
        return await answer(request, outcome)
      }
      await routes?.published()
      feed.yield(.job(Job(request: request, intent: intent, key: key)))
    } catch {
      log.error("a command could not be written down", metadata: ["reason": "\(error)"])
      await refuse(request, CommandFailure(.internal, "the gateway cannot store the command: \(error)"))
    }
  }

  /// What commands for a board are judged by.
  private func standing(of target: CommandTarget) async -> (groups: [String], chains: Set<String>) {
    guard case .board(let board) = target, let supervisor = await routes?.board(board) else {
      return ([], [])
    }
    return (await supervisor.desired.groups, await supervisor.wantedChains)
  }

  private func precedent(
    of request: CommandRequest, _ key: CommandEntry.Key
  ) async throws(StoreFailure) -> CommandPrecedent? {
    if request.hasSenderID { return try await store.precedent(of: key, payloadHash: request.payloadHash) }
    guard request.isRedelivery else { return nil }
    return try await store.recentAnonymous(
      topic: key.topic, payloadHash: request.payloadHash, since: timekeeper.now - Self.anonymousMemory)
  }

  private func answer(_ request: CommandRequest, _ precedent: CommandPrecedent) async {
    switch precedent {
    case .fresh: break
    case .running(let reply), .finished(let reply):
      guard let stored = (try? StrictJSON.parse(reply, limits: .trusting))?.object else { return }
      await routes?.deliver([.reply(self.reply(request, .repeated(stored)))])
    case .mismatch:
      await refuse(
        request,
        CommandFailure(
          .duplicateIDMismatch, "the id was used for another request; give every request its own"))
    }
  }

  private func execute(_ job: Job) async {
    let request = job.request
    let stages = CommandStages(
      sent: { await self.noteSent(job) },
      progress: { percent, eta in
        await self.publish(request, .progress(percent: percent, eta: eta), job.key)
      })
    let outcome: CommandOutcome
    switch request.target {
    case .board(let board):
      guard let supervisor = await routes?.board(board) else {
        outcome = .failed(CommandFailure(.unreachable, "the board was forgotten meanwhile"))
        break
      }
      if request.mode == .queue, await !supervisor.isSessionReady {
        await publish(request, .queued(eta: await supervisor.state.nextContact), job.key)
      }
      outcome = await supervisor.perform(
        job.intent, expires: request.expires, mode: request.mode, stages)
    case .gateway:
      await stages.sent()
      outcome =
        await routes?.gateway(job.intent, stages) ?? .failed(CommandFailure(.internal, "the gateway is not ready"))
    case .group: outcome = .failed(CommandFailure(.unsupported, "this version takes no group commands"))
    }
    admission.finished(request.target)
    await conclude(request, job.key, outcome)
  }

  private func noteSent(_ job: Job) async {
    let sent = messages(reply(job.request, .sent))
    do throws(StoreFailure) {
      try await store.markSent(job.key, reply: sent.first?.payload ?? [], publishing: sent)
      await routes?.published()
    } catch {
      log.error("a command's progress cannot be stored", metadata: ["reason": "\(error)"])
    }
  }

  private func publish(_ request: CommandRequest, _ stage: CommandReply.Stage, _ key: CommandEntry.Key) async
  {
    let answer = messages(reply(request, stage))
    try? await store.advance(key, reply: answer.first?.payload ?? [], publishing: answer)
    await routes?.published()
  }

  private func conclude(_ request: CommandRequest, _ key: CommandEntry.Key, _ outcome: CommandOutcome) async {
    if case .done = outcome { counters.add(to: .commandsOK) } else { counters.add(to: .commandsFailed) }
    let answer = messages(
      reply(request, .final(outcome, took: timekeeper.now - request.arrived)))
    do throws(StoreFailure) {
      _ = try await store.finish(key, reply: answer.first?.payload ?? [], publishing: answer)
      await routes?.published()
    } catch {
      log.error("a command's answer cannot be stored", metadata: ["reason": "\(error)"])
    }
  }

  // Refusals at the door.

  private func refuse(_ request: CommandRequest, _ failure: CommandFailure) async {
    await refuse(
      request.id, request.target, request.verb, failure, responseTopic: request.responseTopic,
      correlationData: request.correlationData)
  }

  private func refuse(
    _ id: String, _ target: CommandTarget, _ verb: String, _ failure: CommandFailure, responseTopic: String?,
    correlationData: [UInt8]
  ) async {
    counters.add(to: .commandsFailed)
    guard refusals.allows(at: timekeeper.uptime) else { return counters.add(to: .refusalsSuppressed) }
    await routes?.deliver([
      .reply(
        CommandReply(
          id: id, target: target, verb: verb, stage: .final(.failed(failure), took: .zero),
          time: timekeeper.now,
          responseTopic: responseTopic, correlationData: correlationData))
    ])
  }

  private func tellRetained(_ target: CommandTarget, _ verb: String, _ id: String) async {
    counters.add(to: .commandsRetained)
    let time = timekeeper.now
    var subject = Subject.gateway
    if case .board(let board) = target, await routes?.board(board) != nil { subject = .board(board) }
    await routes?.deliver([
      .happened(
        Happening(
          .retainedCommand, "refused", subject: subject,
          fields: ["verb": .string(verb), "id": .string(id), "target": .string(topics(target, verb))],
          id: ULID(at: time, using: &random), time: time))
    ])
  }

  private func reply(_ request: CommandRequest, _ stage: CommandReply.Stage) -> CommandReply {
    CommandReply(
      id: request.id, target: request.target, verb: request.verb, stage: stage, time: timekeeper.now,
      responseTopic: request.responseTopic, correlationData: request.correlationData)
  }

  private func messages(_ reply: CommandReply) -> [OutboxMessage] {
    dialect.messages(for: .reply(reply)).map {
      OutboxMessage($0.message, as: .state, samples: 0, created: timekeeper.now)
    }
  }
}
