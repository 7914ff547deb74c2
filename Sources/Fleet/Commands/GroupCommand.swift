import Dialects
import FleetModel
import Logging
import Storage

/// A group's job under way.
struct LiveJob: Sendable {
  var request: CommandRequest
  var job: GroupJob
  var place: CommandCapacity.Place
  /// Woken when a member ends.
  let waker = TaskWaker()
  /// What was reported of it last, and when.
  var reported = JSONObject()
  var publishedAt: Duration?
  var isStopKept = false
}

/// A group's command that is carried out: `GroupJob` decides who is next, each member gets a command of its own.
struct GroupCommand: Sendable {
  var key: CommandEntry.Key

  /// Progress of a job is reported at most so often (MQTT contract 4.2).
  private static let progressPause = Duration.seconds(1)

  func run(on dispatcher: isolated CommandDispatcher) async {
    while !Task.isCancelled, let live = dispatcher.jobs[key] {
      let isExpired = dispatcher.timekeeper.now >= live.request.expires
      switch dispatcher.jobs[key]?.job.step(at: dispatcher.timekeeper.uptime, isExpired: isExpired) {
      case .begin(let board): await begin(board, dispatcher)
      case .expire(let board):
        await refuse(
          board, CommandFailure(.expired, "the job expired before it reached this board"), dispatcher)
      case .wait(let until):
        let progressDue = await publishProgress(dispatcher)
        let expiry =
          isExpired ? nil : dispatcher.timekeeper.uptime + (live.request.expires - dispatcher.timekeeper.now)
        let next = [until, progressDue, expiry].compactMap { $0 }.min()
        await live.waker.sleep(
          atMost: next.map { max(.zero, $0 - dispatcher.timekeeper.uptime) }, by: dispatcher.timekeeper)
      case .finish, nil:
        await finish(dispatcher)
      }
    }
  }

  private func finish(_ dispatcher: isolated CommandDispatcher) async {
    guard let live = dispatcher.jobs.removeValue(forKey: key) else { return }
    let (outcome, data) = live.job.summary
    dispatcher.admission.finished(live.place, at: dispatcher.timekeeper.uptime)
    _ = await dispatcher.records.conclude(live.request, outcome, data: data)
    await dispatcher.routes.published()
  }

  private func begin(_ board: BoardID, _ dispatcher: isolated CommandDispatcher) async {
    guard let command = command(of: board, dispatcher) else { return }
    await take(command.begin(on: dispatcher), for: board, dispatcher)
  }

  /// A member whose command ends before it begins.
  private func refuse(
    _ board: BoardID, _ failure: CommandFailure, _ dispatcher: isolated CommandDispatcher
  ) async {
    guard let command = command(of: board, dispatcher) else { return }
    await take(command.refuse(failure, on: dispatcher), for: board, dispatcher)
  }

  private func command(of board: BoardID, _ dispatcher: isolated CommandDispatcher) -> MemberCommand? {
    dispatcher.jobs[key].map { live in
      var request = GroupRules.request(for: board, of: live.request)
      request.arrived = dispatcher.timekeeper.now
      return MemberCommand(request: request, job: key)
    }
  }

  private func take(
    _ start: MemberCommand.Start, for board: BoardID, _ dispatcher: isolated CommandDispatcher
  ) async {
    switch start {
    case .begun(let member):
      if dispatcher.jobs[key]?.job.stop == .cancelled { _ = await dispatcher.cancel(member) }
    case .refused(let failure): dispatcher.ended(board, .failed(failure.code), of: key)
    case .repeated(let precedent): take(precedent, for: board, dispatcher)
    }
  }

  /// The member's id is known already: from this job, or because somebody made use of it.
  private func take(
    _ precedent: CommandPrecedent, for board: BoardID, _ dispatcher: isolated CommandDispatcher
  ) {
    switch precedent {
    case .finished(let reply):
      let document = (try? StrictJSON.parse(reply, limits: .trusting))?.object ?? JSONObject()
      dispatcher.ended(board, GroupJob.Result(stored: document), of: key)
    case .mismatch, .running: dispatcher.ended(board, .failed(.duplicateIDMismatch), of: key)
    case .fresh: break
    }
  }

  /// Tells how far a job has come, if that is new and it is time. Returns when it may be reported.
  private func publishProgress(_ dispatcher: isolated CommandDispatcher) async -> Duration? {
    guard let live = dispatcher.jobs[key] else { return nil }
    let (job, now) = (live.job, dispatcher.timekeeper.now)
    let counts = job.counts
    let isNew = !job.results.isEmpty && counts != live.reported
    let due = live.publishedAt.map { $0 + Self.progressPause } ?? .zero
    let mayPublish = isNew && dispatcher.timekeeper.uptime >= due
    // That no more are begun must survive a restart at once, whether it may be reported yet or not.
    let keepsStop = job.stop != nil && !live.isStopKept
    guard mayPublish || keepsStop else { return isNew ? due : nil }
    dispatcher.jobs[key]?.isStopKept = job.stop != nil
    if mayPublish {
      dispatcher.jobs[key]?.reported = counts
      dispatcher.jobs[key]?.publishedAt = dispatcher.timekeeper.uptime
    }
    await dispatcher.records.advance(
      live.request, .progress(percent: job.percent, eta: job.end(since: live.request.arrived, at: now)),
      data: counts, silently: !mayPublish)
    await dispatcher.routes.published()
    return mayPublish || !isNew ? nil : due
  }
}
