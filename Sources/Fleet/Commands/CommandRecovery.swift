import Dialects
import FleetModel
import Logging
import Storage

/// What the last run left open, taken up by the dispatcher.
enum CommandRecovery {
  /// Answers or takes up what was accepted and has no final answer, oldest first: what may have run is `unknown`, what
  /// has not is begun, and jobs go on where they were.
  static func run(on dispatcher: isolated CommandDispatcher) async {
    let open: [UnfinishedCommand]
    do throws(StoreFailure) { open = try await dispatcher.records.store.commands.unfinished() } catch {
      return dispatcher.log.error("the command ledger cannot be read", metadata: ["reason": "\(error)"])
    }
    for command in open {
      guard let stored = StoredRequest(command.entry.request) else {
        _ = try? await dispatcher.records.store.commands.finish(command.entry.key, reply: [], publishing: [])
        continue
      }
      if case .group = stored.request.target, !stored.members.isEmpty {
        await recover(job: stored, latest: command.entry.reply, dispatcher)
      } else {
        await recover(stored, wasSent: command.wasSent, latest: command.entry.reply, dispatcher)
      }
    }
  }

  private static func recover(
    _ stored: StoredRequest, wasSent: Bool, latest reply: [UInt8],
    _ dispatcher: isolated CommandDispatcher
  ) async {
    let request = stored.request
    if wasSent {
      let latest = (try? StrictJSON.parse(reply, limits: .trusting))?.object
      if request.verb == BatchVerb.name, var batch = latest.flatMap({ BatchProgress(stored: $0) }) {
        batch.restarted()
        return await end(stored, batch.outcome, data: batch.data, dispatcher)
      }
      return await end(
        stored,
        .unknown(
          message: "the gateway was restarted while the command was running; it may have taken effect"),
        dispatcher)
    }
    guard let addressee = await dispatcher.routes.addressee(of: request.target) else {
      return await end(
        stored, .failed(CommandFailure(.unreachable, "the board was removed (forget) in the meantime")),
        dispatcher)
    }
    let targetStatus = await addressee.targetStatus()
    do throws(CommandFailure) {
      let admitted = try dispatcher.admission.admitAgain(
        request, targetStatus, at: dispatcher.timekeeper.now, uptime: dispatcher.timekeeper.uptime)
      let key = dispatcher.records.key(of: request)
      dispatcher.live[key] = LiveCommand(
        request: request, admitted: admitted, board: addressee.board, job: stored.job)
      dispatcher.feed.yield(.command(key))
    } catch {
      await end(
        stored, .failed(error), dispatcher)
    }
  }

  private static func end(
    _ stored: StoredRequest, _ outcome: CommandOutcome, data: JSONObject = JSONObject(),
    _ dispatcher: isolated CommandDispatcher
  ) async {
    guard await dispatcher.records.conclude(stored.request, outcome, data: data) else { return }
    await dispatcher.routes.published()
    if let job = stored.job, case .board(let board) = stored.request.target {
      dispatcher.ended(board, GroupJob.Result(outcome), of: job)
      await dispatcher.routes.memberEnded(board, outcome, job)
    }
  }

  /// A job's members say by their own entries how far it has come.
  private static func recover(
    job stored: StoredRequest, latest reply: [UInt8], _ dispatcher: isolated CommandDispatcher
  ) async {
    let request = stored.request
    let limits = (try? JobLimits(request.job)) ?? JobLimits()
    var job = GroupJob(members: stored.members, limits: limits)
    let keys = stored.members.map {
      ($0, dispatcher.records.key(of: GroupRules.request(for: $0, of: request)))
    }
    let answers = (try? await dispatcher.records.store.commands.answers(to: keys.map(\.1))) ?? [:]
    var results: [BoardID: GroupJob.Result] = [:]
    for (board, key) in keys {
      guard let answer = answers[key] else { continue }
      guard let answer else {
        job.begun(board)
        continue
      }
      results[board] = GroupJob.Result(
        stored: (try? StrictJSON.parse(answer, limits: .trusting))?.object ?? JSONObject())
    }
    let counts = (try? StrictJSON.parse(reply, limits: .trusting))?.object?["data"]?.object
    job.resume(results, stop: counts.flatMap(GroupJob.stop))
    dispatcher.takeUp(job, of: request)
  }
}
