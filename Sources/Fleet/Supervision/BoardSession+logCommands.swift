import BoardKit
import FleetModel
import Storage

/// Commands that have to do with the log (MQTT contract 3.5).
extension BoardSession {
  func carryOut(_ command: LogCommand, _ stages: CommandStages) async -> CommandOutcome {
    guard let source = driver.logs else {
      return .failed(CommandFailure(.unsupported, "this board has no log"))
    }
    log.isWatched = true
    do throws(ProtocolFailure) {
      switch command {
      case .start(let requests, let isCircular, let adjusted):
        return try await startLogging(requests, isCircular: isCircular, adjusted)
      case .stop(let names): return try await stopLogging(names, source)
      case .removeLoggers(let slots): return try await removeLoggers(slots)
      case .download(let resume, let clear):
        let end = await download(DownloadOrder(resume: resume, clear: clear), stages: stages)
        if self.end != nil { return linkOutcome() }
        return LogReplies.outcome(of: end)
      case .status: return try await tellLogStatus(source)
      case .clear(let discard): return try await clearLog(discarding: discard, source)
      }
    } catch {
      giveUpLog(error)
      return end == nil ? .failed(CommandFailure(.boardError, "\(error)")) : linkOutcome()
    }
  }

  private func startLogging(
    _ requests: [StreamRequest], isCircular: Bool?, _ adjusted: [String]
  ) async throws(ProtocolFailure) -> CommandOutcome {
    let before = orders.logs
    for request in requests {
      let conflicts = orders.streams.values.compactMap { $0.conflict(with: request) }
      if let failure = conflicts.first { return .failed(failure) }
    }
    for request in requests { orders.logs.wanted[request.name] = request }
    orders.logs.isCircular = isCircular ?? before.isCircular
    guard let duty = try await lookAtLog() else { return linkOutcome() }
    let names = requests.map(\.name)
    if let refusal = LogReplies.refusal(of: names, duty) {
      orders.logs = before
      return .failed(refusal)
    }
    (feeding.refusedLogs, isProgramApplied) = (feeding.refusedLogs.filter { !names.contains($0.key) }, true)
    await applyStreams()
    // What cannot run is known before any logger is made.
    if end == nil, feeding.refuses(names) == nil { await applyProgram() }
    guard end == nil else { return linkOutcome() }
    if let failure = feeding.refuses(names) {
      // Nothing half-configured is left (fault F41).
      (orders.logs.wanted, orders.logs.isCircular) = (before.wanted, before.isCircular)
      orders.logs.made = before.made
      await applyStreams()
      if end == nil { await applyProgram() }
      return .failed(failure)
    }
    await tendLog()
    guard end == nil, let status = log.status else { return linkOutcome() }
    guard status.isLogging, let run = log.run else {
      return .failed(
        CommandFailure(.boardError, duty.isFull ? "the log is full; download it" : "the board does not log"))
    }
    return .done(
      evidence: .readback,
      data: LogReplies.started(
        log.logged.filter { names.contains($0.name) }, all: wantedProgram.logs, of: run, status, adjusted))
  }

  private func stopLogging(
    _ names: [String]?, _ source: any LogSource
  ) async throws(ProtocolFailure) -> CommandOutcome {
    if let names {
      for name in names { orders.logs.wanted[name] = nil }
    } else {
      orders.logs.wanted = [:]
    }
    if orders.logs.wanted.isEmpty {
      try await source.stop()
      await forgetPause()
    }
    try await lookAtLog()
    // Loggers without entries go at once, others after the next download.
    await applyStreams()
    if end == nil { await applyProgram() }
    guard end == nil, let status = log.status, let duty = logDuty else { return linkOutcome() }
    return .done(
      evidence: .readback,
      data: ["logging": .bool(status.isLogging), "entries": .integer(Int64(duty.entries))])
  }

  /// Of others; ours go by the names of their streams.
  private func removeLoggers(_ slots: [UInt8]) async throws(ProtocolFailure) -> CommandOutcome {
    for slot in slots {
      let outcome = await driver.perform(.program(.removeLogger(slot: slot)))
      guard case .done = outcome else { return outcome }
    }
    guard let duty = try await lookAtLog() else { return linkOutcome() }
    return .done(
      evidence: .readback,
      data: ["logging": .bool(duty.status.isLogging), "entries": .integer(Int64(duty.entries))])
  }

  private func tellLogStatus(_ source: any LogSource) async throws(ProtocolFailure) -> CommandOutcome {
    guard let duty = try await lookAtLog() else { return linkOutcome() }
    let streams = try await source.streams(anew: false)
    return .done(
      evidence: .response, data: LogReplies.status(duty, streams))
  }

  private func clearLog(
    discarding discard: Int64?, _ source: any LogSource
  ) async throws(ProtocolFailure) -> CommandOutcome {
    guard var duty = try await lookAtLog() else { return linkOutcome() }
    let wasLogging = duty.status.isLogging
    if let refusal = LogReplies.refusal(of: discard, duty) { return .failed(refusal) }
    try await source.stop()
    duty = try await lookAtLog() ?? duty
    // What came in while we asked, or waited in memory for its page to be full, was not given up.
    if let refusal = LogReplies.refusal(of: discard, duty) {
      if wasLogging { try await source.start(overwriting: duty.status.isCircular) }
      try await lookAtLog()
      return .failed(refusal)
    }
    let dropped = duty.entries
    try await source.clear()
    take(try await source.status(), isCleared: true)
    let left = logDuty?.entries ?? 0
    if left == 0, let run = log.run {
      if duty.undownloaded > 0 {
        await noteGap(in: run, since: run.started, until: now, because: "discarded")
      }
      try? await environment.store.noteCleared(run.id)
      log.run = nil
    }
    if end == nil { await applyProgram() }
    await tendLog()
    let data: JSONObject = ["dropped": .integer(Int64(dropped)), "entries": .integer(Int64(left))]
    guard left == 0 else {
      return .failed(CommandFailure(.boardError, "the board still holds \(left) entries", data: data))
    }
    return .done(evidence: .readback, data: data)
  }
}
