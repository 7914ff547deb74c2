import FleetModel
import Storage

/// Commands of groups in the dispatcher; `GroupCommand` carries them out.
extension CommandDispatcher {
  func begin(job live: LiveCommand, _ members: [BoardID]) async throws(StoreFailure) {
    let limits = (try? JobLimits(live.request.job)) ?? JobLimits()
    let job = GroupJob(members: members, limits: limits)
    let data: JSONObject = ["total": .integer(Int64(members.count)), "job": .object(limits.document)]
    guard
      try await begin(StoredRequest(live.request, members: members), live, data: data) == .fresh
    else { return }
    takeUp(job, of: live.request, at: live.admitted.place)
  }

  /// Goes on with a job, begun now or before a restart.
  func takeUp(_ job: GroupJob, of request: CommandRequest, at place: CommandCapacity.Place? = nil) {
    let key = records.key(of: request)
    let place = place ?? admission.reserve(request, at: timekeeper.uptime)
    jobs[key] = LiveJob(request: request, job: job, place: place)
    feed.yield(.job(key))
  }

  /// A member's command is over.
  func ended(_ board: BoardID, _ result: GroupJob.Result, of job: CommandEntry.Key) {
    jobs[job]?.job.ended(board, result)
    jobs[job]?.waker.wake()
  }
}
