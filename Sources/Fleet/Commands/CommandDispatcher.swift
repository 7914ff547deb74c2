import Dialects
import FleetModel
import Logging
import Storage

/// Every command passes here once: recognised if it is a repeat, judged, written down, carried out, answered.
///
/// Pure values decide (`CommandAdmission`, `GroupJob`, `CommandSequence`), `CommandRecords` writes down.
actor CommandDispatcher {
  let records: CommandRecords
  let timekeeper: any Timekeeper
  let counters: Counters
  let log: Logger
  let routes: CommandRoutes
  var admission: CommandAdmission
  var live: [CommandEntry.Key: LiveCommand] = [:]
  var jobs: [CommandEntry.Key: LiveJob] = [:]
  var refusals = RefusalRateLimit()
  var random: SeededGenerator
  private let pendingWork: AsyncStream<PendingWork>
  let feed: AsyncStream<PendingWork>.Continuation
  private var unknownTargets = 0
  let start = StartGate()

  /// How long a redelivered request without an id is recognised (MQTT contract 3.1).
  static let anonymousMemory = Duration.seconds(600)
  /// Commands for boards that are not ours which may wait for an answer at once; of more than are answered in a second
  /// nobody learns anyway.
  static let unknownTargetLimit = 32

  init(records: CommandRecords, limits: CommandLimits, seed: UInt64, routes: CommandRoutes) {
    (self.records, self.routes) = (records, routes)
    timekeeper = records.timekeeper
    counters = records.counters
    log = records.log
    admission = CommandAdmission(limits: limits)
    random = SeededGenerator(seed: seed)
    (pendingWork, feed) = AsyncStream.makeStream()
  }

  /// Judges by other limits from now on.
  func change(to limits: CommandLimits) { admission.limits = limits }

  /// Carries out what was admitted, each command in its own task, until cancelled.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await errand in pendingWork {
        // Turns are given here, one after the other: tasks begin in no certain order.
        if case .command(let key) = errand { await takeTurn(key) }
        group.addTask {
          switch errand {
          case .command(let key): await self.execute(key)
          case .job(let key): await GroupCommand(key: key).run(on: self)
          case .unknownTarget(let target, let verb, let command):
            await self.answerUnknownTarget(target, verb, command)
          }
        }
      }
    }
  }

  /// Takes up what the last run left open, and then what came meanwhile.
  func recover() async {
    await CommandRecovery.run(on: self)
    while let early = start.release() { for one in early { await take(one.target, one.verb, one.command) } }
  }

  /// Takes a message from a command topic.
  func submit(_ target: CommandTarget, _ verb: String, _ command: IncomingCommand) async {
    if case .empty = command { return counters.add(to: .commandsEmpty) }
    if !start.holds(target, verb, command) { await take(target, verb, command) }
  }

  private func take(_ target: CommandTarget, _ verb: String, _ command: IncomingCommand) async {
    let addressee = await routes.addressee(of: target)
    if addressee == nil, await isUnknownTarget(target, command) {
      guard unknownTargets < Self.unknownTargetLimit else { return counters.add(to: .refusalsSuppressed) }
      unknownTargets += 1
      feed.yield(.unknownTarget(target, verb: verb, command))
      return
    }
    await judge(target, verb, command, addressee)
  }

  /// Whether a command to nobody of ours is not a repeat either: members of a group may have left since.
  private func isUnknownTarget(_ target: CommandTarget, _ command: IncomingCommand) async -> Bool {
    guard case .group = target, case .request(let request) = command else { return true }
    return ((try? await precedent(of: request)) ?? nil) == nil
  }

  /// Silence when another gateway has the board, or may have members of the group; it will answer.
  private func answerUnknownTarget(_ target: CommandTarget, _ verb: String, _ command: IncomingCommand) async
  {
    defer { unknownTargets -= 1 }
    switch target {
    case .board(let board): guard await !routes.isOwnedElsewhere(board) else { return }
    case .group: guard await !routes.isAmongOthers() else { return }
    case .gateway: break
    }
    await judge(target, verb, command, await routes.addressee(of: target))
  }

  private func judge(
    _ target: CommandTarget, _ verb: String, _ command: IncomingCommand, _ addressee: CommandAddressee?
  ) async {
    switch command {
    case .empty: break
    case .refused(let refused): await refuse(refused, target, verb)
    case .request(let request):
      do throws(StoreFailure) {
        if let precedent = try await precedent(of: request) { return await answer(request, precedent) }
        try await accept(request, addressee)
      } catch {
        log.error("a command cannot be stored", metadata: ["reason": "\(error)"])
        await refuse(
          request,
          CommandFailure(.internal, "the gateway cannot store the command and has not run it: \(error)"))
      }
    }
  }

  /// Judges a request that is not a repeat.
  private func accept(_ request: CommandRequest, _ addressee: CommandAddressee?) async throws(StoreFailure) {
    guard let addressee else {
      return await refuse(request, .nobody(at: request.target))
    }
    let targetStatus = await addressee.targetStatus()
    let admitted: CommandAdmission.Admitted
    do throws(CommandFailure) {
      admitted = try admission.admit(request, targetStatus, at: timekeeper.now, uptime: timekeeper.uptime)
    } catch {
      return await refuse(request, error)
    }
    let live = LiveCommand(request: request, admitted: admitted, board: addressee.board)
    if case .group(let members) = addressee, case .board = admitted.intent {
      return try await begin(job: live, members.keys.sorted())
    }
    guard try await begin(StoredRequest(request), live) == .fresh else { return }
    feed.yield(.command(records.key(of: request)))
  }

  /// Enters an admitted command. One that somebody else entered in the meantime is answered as a repeat.
  func begin(
    _ stored: StoredRequest, _ live: LiveCommand, data: JSONObject = JSONObject()
  ) async throws(StoreFailure) -> CommandPrecedent {
    let precedent: CommandPrecedent
    do throws(StoreFailure) { precedent = try await records.begin(stored, data: data) } catch {
      admission.finished(live.admitted.place, at: timekeeper.uptime)
      throw error
    }
    if precedent == .fresh {
      if stored.members.isEmpty { self.live[records.key(of: stored.request)] = live }
    } else {
      admission.finished(live.admitted.place, at: timekeeper.uptime)
      if stored.job == nil { await answer(stored.request, precedent) }
    }
    await routes.published()
    return precedent
  }

  private func precedent(of request: CommandRequest) async throws(StoreFailure) -> CommandPrecedent? {
    let key = records.key(of: request)
    if request.hasSenderID {
      return try await records.store.commands.precedent(of: key, payloadHash: request.delivery.payloadHash)
    }
    guard request.delivery.isRedelivery else { return nil }
    return try await records.store.commands.recentAnonymous(
      topic: key.topic, payloadHash: request.delivery.payloadHash,
      since: timekeeper.now - Self.anonymousMemory)
  }

  private func answer(_ request: CommandRequest, _ precedent: CommandPrecedent) async {
    switch precedent {
    case .fresh: break
    case .running(let reply), .finished(let reply):
      guard let stored = (try? StrictJSON.parse(reply, limits: .trusting))?.object else { return }
      await routes.deliver([.reply(records.reply(request, .repeated(stored)))])
    case .mismatch:
      await refuse(
        request,
        CommandFailure(
          .duplicateIDMismatch, "the id was used for another request; use a new id for every request"))
    }
  }
}
