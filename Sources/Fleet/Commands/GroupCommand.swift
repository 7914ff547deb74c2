import Dialects
import FleetModel
import Logging
import Storage

/// A group's job under way.
struct LiveJob: Sendable {
  var request: CommandRequest
  var job: GroupJob
  var place: CommandRoom.Place
  /// Rung when a member ends.
  let alarm = Alarm()
  /// What was told of it last, and when.
  var told = JSONObject()
  var toldAt: Duration?
  var isStopKept = false
}

/// A group's command that is carried out: `GroupJob` decides who is next, each member gets a command of its own.
struct GroupCommand: Sendable {
  var key: CommandEntry.Key

  /// Progress of a job is told at most so often (MQTT contract 4.2).
  private static let progressPause = Duration.seconds(1)

  func run(on desk: isolated CommandDesk) async {
    while !Task.isCancelled, let live = desk.jobs[key] {
      let isExpired = desk.timekeeper.now >= live.request.expires
      switch desk.jobs[key]?.job.step(at: desk.timekeeper.uptime, isExpired: isExpired) {
      case .begin(let board): await begin(board, desk)
      case .expire(let board):
        await refuse(
          board, CommandFailure(.expired, "the job expired before this board's turn came"), desk)
      case .wait(let until):
        let progressDue = await tellProgress(desk)
        let expiry = isExpired ? nil : desk.timekeeper.uptime + (live.request.expires - desk.timekeeper.now)
        let next = [until, progressDue, expiry].compactMap { $0 }.min()
        await live.alarm.sleep(
          atMost: next.map { max(.zero, $0 - desk.timekeeper.uptime) }, by: desk.timekeeper)
      case .finish, nil:
        await finish(desk)
      }
    }
  }

  private func finish(_ desk: isolated CommandDesk) async {
    guard let live = desk.jobs.removeValue(forKey: key) else { return }
    let (outcome, data) = live.job.summary
    desk.admission.finished(live.place, at: desk.timekeeper.uptime)
    _ = await desk.records.conclude(live.request, outcome, telling: data)
    await desk.routes.published()
  }

  /// Begins a member's command the way every command goes.
  private func begin(_ board: BoardID, _ desk: isolated CommandDesk) async {
    guard let group = desk.jobs[key]?.request else { return }
    var request = GroupRules.request(for: board, of: group)
    request.arrived = desk.timekeeper.now
    guard let addressee = await desk.find(request.target) else {
      return await refuse(
        board, CommandFailure(.unreachable, "the board was forgotten meanwhile"), desk)
    }
    let standing = await addressee.standing()
    let admitted: CommandAdmission.Admitted
    do throws(CommandFailure) {
      admitted = try desk.admission.admit(
        request, standing, at: desk.timekeeper.now, uptime: desk.timekeeper.uptime)
    } catch {
      return await refuse(
        board, error, desk)
    }
    do throws(StoreFailure) {
      let precedent = try await desk.begin(
        StoredRequest(request, of: key),
        CommandDesk.Live(request: request, admitted: admitted, board: addressee.board, job: key))
      if precedent == .fresh {
        let member = desk.records.key(of: request)
        desk.feed.yield(.command(member))
        if desk.jobs[key]?.job.stop == .cancelled { _ = await desk.cancel(member) }
      } else {
        take(precedent, for: board, desk)
      }
    } catch {
      desk.log.error("a member's command could not be written down", metadata: ["reason": "\(error)"])
      desk.ended(board, .failed(.internal), of: key)
    }
  }

  /// A member whose command ends before it begins; its answer stands in the ledger, so that a restart does not begin it.
  private func refuse(
    _ board: BoardID, _ failure: CommandFailure, _ desk: isolated CommandDesk
  ) async {
    guard let group = desk.jobs[key]?.request else { return }
    var request = GroupRules.request(for: board, of: group)
    request.arrived = desk.timekeeper.now
    do throws(StoreFailure) {
      let precedent = try await desk.records.end(StoredRequest(request, of: key), failure)
      if precedent == .fresh {
        desk.ended(board, .failed(failure.code), of: key)
      } else {
        take(precedent, for: board, desk)
      }
      await desk.routes.published()
    } catch {
      desk.log.error("a member's answer cannot be stored", metadata: ["reason": "\(error)"])
      desk.ended(board, .failed(failure.code), of: key)
    }
  }

  /// The member's id is known already: from this job, or because somebody made use of it.
  private func take(
    _ precedent: CommandPrecedent, for board: BoardID, _ desk: isolated CommandDesk
  ) {
    switch precedent {
    case .finished(let reply):
      let document = (try? StrictJSON.parse(reply, limits: .trusting))?.object ?? JSONObject()
      desk.ended(board, GroupJob.Result(stored: document), of: key)
    case .mismatch, .running: desk.ended(board, .failed(.duplicateIDMismatch), of: key)
    case .fresh: break
    }
  }

  /// Tells how far a job has come, if that is new and it is time. Returns when it may be told.
  private func tellProgress(_ desk: isolated CommandDesk) async -> Duration? {
    guard let live = desk.jobs[key] else { return nil }
    let (job, now) = (live.job, desk.timekeeper.now)
    let counts = job.counts
    let isNew = !job.results.isEmpty && counts != live.told
    let due = live.toldAt.map { $0 + Self.progressPause } ?? .zero
    let mayTell = isNew && desk.timekeeper.uptime >= due
    // That no more are begun must survive a restart at once, whether it may be told yet or not.
    let keepsStop = job.stop != nil && !live.isStopKept
    guard mayTell || keepsStop else { return isNew ? due : nil }
    desk.jobs[key]?.isStopKept = job.stop != nil
    if mayTell {
      desk.jobs[key]?.told = counts
      desk.jobs[key]?.toldAt = desk.timekeeper.uptime
    }
    await desk.records.advance(
      live.request, .progress(percent: job.percent, eta: job.end(since: live.request.arrived, at: now)),
      telling: counts, silently: !mayTell)
    await desk.routes.published()
    return mayTell || !isNew ? nil : due
  }
}
