import FleetModel
import Storage

/// The gateway's verb `cancel` (MQTT contract 4.1).
extension CommandDispatcher {
  /// Cancels what is queued or under way under an id. An id is one sender's; where commands to several targets carry
  /// the same, all of them are meant. What has not begun ends `expired`; what has ends `unknown`, because nobody can
  /// call it back. Of a job no more members are begun, those that wait are cancelled, and those that were sent are left
  /// to end, so that its summary is true. A batch stops before its next command.
  func cancel(_ id: String) async -> CommandOutcome {
    var isCancelled = false
    for (key, live) in jobs where live.request.id == id {
      isCancelled = true
      jobs[key]?.job.stop(.cancelled)
      for member in live.job.unfinished {
        let memberKey = records.key(of: GroupRules.request(for: member, of: live.request))
        if self.live[memberKey]?.canStop == true { _ = await cancel(memberKey) }
      }
      jobs[key]?.waker.wake()
    }
    for key in live.keys.filter({ $0.id == id }).sorted(by: { $0.topic < $1.topic }) {
      if await cancel(key) { isCancelled = true }
    }
    return .done(evidence: nil, data: ["cancelled": .bool(isCancelled)])
  }

  func cancel(_ key: CommandEntry.Key) async -> Bool {
    guard let command = live[key], !command.isCancelled else { return false }
    // The command that cancels is none that can be cancelled.
    if case .cancel = command.admitted.intent { return false }
    if command.isSent, command.batch != nil { return BatchRecord.cancel(key, self) }
    live[key]?.isCancelled = true
    // Before it hears of it: what ends because it was withdrawn would give an answer of its own.
    let isCancelled = await conclude(
      key,
      command.isSent
        ? .unknown(message: "cancelled while running; it may have taken effect") : .failed(.cancelled))
    if let turn = command.turn { await command.board?.withdraw(turn) }
    return isCancelled
  }
}
