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

/// Commands for groups: `GroupJob` decides who is next, each member gets a command of its own.
extension CommandDesk {
  /// Progress of a job is told at most so often (MQTT contract 4.2).
  private static let progressPause = Duration.seconds(1)

  func begin(job live: Live, _ members: [BoardID]) async throws(StoreFailure) {
    let limits = (try? JobLimits(live.request.job)) ?? JobLimits()
    let job = GroupJob(members: members, limits: limits)
    let data: JSONObject = ["total": .integer(Int64(members.count)), "job": .object(limits.document)]
    guard
      try await begin(StoredRequest(live.request, members: members), live, telling: data) == .fresh
    else { return }
    takeUp(job, of: live.request, at: live.admitted.place)
  }

  /// Goes on with a job, begun now or before a restart.
  func takeUp(_ job: GroupJob, of request: CommandRequest, at place: CommandRoom.Place? = nil) {
    let key = records.key(of: request)
    let place = place ?? admission.hold(request, at: timekeeper.uptime)
    jobs[key] = LiveJob(request: request, job: job, place: place)
    feed.yield(.job(key))
  }

  func runJob(_ key: CommandEntry.Key) async {
    while !Task.isCancelled, let live = jobs[key] {
      let isExpired = timekeeper.now >= live.request.expires
      switch jobs[key]?.job.step(at: timekeeper.uptime, isExpired: isExpired) {
      case .begin(let board): await begin(board, of: key)
      case .expire(let board):
        await refuse(
          member: board, of: key, CommandFailure(.expired, "the job expired before this board's turn came"))
      case .wait(let until):
        let progressDue = await tellProgress(of: key)
        let expiry = isExpired ? nil : timekeeper.uptime + (live.request.expires - timekeeper.now)
        let next = [until, progressDue, expiry].compactMap { $0 }.min()
        await live.alarm.sleep(atMost: next.map { max(.zero, $0 - timekeeper.uptime) }, by: timekeeper)
      case .finish, nil:
        await finish(key)
      }
    }
  }

  private func finish(_ key: CommandEntry.Key) async {
    guard let live = jobs.removeValue(forKey: key) else { return }
    let (outcome, data) = live.job.summary
    admission.finished(live.place, at: timekeeper.uptime)
    _ = await records.conclude(live.request, outcome, telling: data)
    await routes?.published()
  }

  /// Begins a member's command the way every command goes.
  private func begin(_ board: BoardID, of job: CommandEntry.Key) async {
    guard let group = jobs[job]?.request else { return }
    var request = GroupRules.request(for: board, of: group)
    request.arrived = timekeeper.now
    guard let standing = await standing(of: request.target) else {
      return await refuse(
        member: board, of: job, CommandFailure(.unreachable, "the board was forgotten meanwhile"))
    }
    let admitted: CommandAdmission.Admitted
    do throws(CommandFailure) {
      admitted = try admission.admit(request, standing, at: timekeeper.now, uptime: timekeeper.uptime)
    } catch {
      return await refuse(member: board, of: job, error)
    }
    do throws(StoreFailure) {
      let precedent = try await begin(
        StoredRequest(request, of: job), Live(request: request, admitted: admitted, job: job))
      if precedent == .fresh {
        let key = records.key(of: request)
        feed.yield(.command(key))
        if jobs[job]?.job.stop == .cancelled { _ = await cancel(key) }
      } else {
        take(precedent, for: board, of: job)
      }
    } catch {
      log.error("a member's command could not be written down", metadata: ["reason": "\(error)"])
      ended(board, .failed(.internal), of: job)
    }
  }

  /// A member whose command ends before it begins; its answer stands in the ledger, so that a restart does not begin it.
  private func refuse(member board: BoardID, of job: CommandEntry.Key, _ failure: CommandFailure) async {
    guard let group = jobs[job]?.request else { return }
    var request = GroupRules.request(for: board, of: group)
    request.arrived = timekeeper.now
    do throws(StoreFailure) {
      let precedent = try await records.end(StoredRequest(request, of: job), failure)
      if precedent == .fresh {
        ended(board, .failed(failure.code), of: job)
      } else {
        take(precedent, for: board, of: job)
      }
      await routes?.published()
    } catch {
      log.error("a member's answer cannot be stored", metadata: ["reason": "\(error)"])
      ended(board, .failed(failure.code), of: job)
    }
  }

  /// The member's id is known already: from this job, or because somebody made use of it.
  private func take(_ precedent: CommandPrecedent, for board: BoardID, of job: CommandEntry.Key) {
    switch precedent {
    case .finished(let reply):
      let document = (try? StrictJSON.parse(reply, limits: .trusting))?.object ?? JSONObject()
      ended(board, GroupJob.Result(stored: document), of: job)
    case .mismatch, .running: ended(board, .failed(.duplicateIDMismatch), of: job)
    case .fresh: break
    }
  }

  /// A member's command is over.
  func ended(_ board: BoardID, _ result: GroupJob.Result, of job: CommandEntry.Key) {
    jobs[job]?.job.ended(board, result)
    jobs[job]?.alarm.ring()
  }

  /// Tells how far a job has come, if that is new and it is time. Returns when it may be told.
  private func tellProgress(of key: CommandEntry.Key) async -> Duration? {
    guard let live = jobs[key] else { return nil }
    let (job, now) = (live.job, timekeeper.now)
    let counts = job.counts
    let isNew = !job.results.isEmpty && counts != live.told
    let due = live.toldAt.map { $0 + Self.progressPause } ?? .zero
    let mayTell = isNew && timekeeper.uptime >= due
    // That no more are begun must survive a restart at once, whether it may be told yet or not.
    let keepsStop = job.stop != nil && !live.isStopKept
    guard mayTell || keepsStop else { return isNew ? due : nil }
    jobs[key]?.isStopKept = job.stop != nil
    if mayTell {
      jobs[key]?.told = counts
      jobs[key]?.toldAt = timekeeper.uptime
    }
    await records.advance(
      live.request, .progress(percent: job.percent, eta: job.end(since: live.request.arrived, at: now)),
      telling: counts, silently: !mayTell)
    await routes?.published()
    return mayTell || !isNew ? nil : due
  }
}
