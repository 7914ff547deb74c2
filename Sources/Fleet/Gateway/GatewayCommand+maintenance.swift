import BoardKit
import FleetModel
import Storage

/// Verbs for whoever looks after the gateway's computer.
extension GatewayCommand {
  /// Opens or closes joining for boards that are not listed.
  func setAdmission(
    _ mode: AdmissionPolicy.Mode, for window: Duration, profile: String?, _ gateway: isolated Gateway
  ) -> CommandOutcome {
    if let failure = profile.flatMap(gateway.missing(profile:)) { return .failed(failure) }
    gateway.joining.permission.set(mode, for: window, profile: profile, at: gateway.uptime)
    gateway.services.reportWaker.wake()
    var data: JSONObject = ["mode": .string(mode.rawValue)]
    if mode == .window { data["until_ms"] = .integer((gateway.now + window).milliseconds) }
    return .done(evidence: nil, data: data)
  }

  /// Lets go of all boards, each at a safe point of its session, and connects to none until `resume`.
  func drain(resume: Bool, _ gateway: isolated Gateway) async -> CommandOutcome {
    gateway.drained = resume ? nil : gateway.drained ?? gateway.now
    gateway.services.reportWaker.wake()
    let all = gateway.supervisorsInOrder
    guard !resume else {
      for supervisor in all { await BoardDrain.end(supervisor) }
      return .done(evidence: nil, data: ["boards": 0])
    }
    await gateway.publish(.process, "draining", fields: ["reason": "commanded"])
    let released = await withTaskGroup(of: Bool.self) { group in
      for supervisor in all { group.addTask { await BoardDrain.begin(supervisor) } }
      var count = 0
      for await wasLinked in group where wasLinked { count += 1 }
      return count
    }
    return .done(evidence: nil, data: ["boards": .integer(Int64(released))])
  }

  /// Switches an adapter off and on.
  func reset(_ adapter: AdapterID, force: Bool, _ gateway: isolated Gateway) async -> CommandOutcome {
    guard gateway.radio.adapters[adapter] != nil else {
      let known = gateway.radio.adapters.keys.sorted().map(\.description)
      return .failed(.invalid(Suggestion.missing("adapter", "\(adapter)", among: known)))
    }
    if !force, let board = await BusyAdapter.board(on: adapter, of: gateway) {
      return .failed(
        CommandFailure(
          .busy, "\(board) sent data over it within the last minute; force=true resets it all the same",
          retryAfter: BusyAdapter.span))
    }
    let lost = await gateway.scheduler.adapters[adapter]?.links.count ?? 0
    let start = gateway.uptime
    do throws(LinkFailure) { try await gateway.environment.radio.reset(adapter) } catch {
      let code: CommandFailure.Code = error.reason == .notPermitted ? .unsupported : .internal
      return .failed(CommandFailure(code, "the adapter could not be reset: \(error.message)"))
    }
    gateway.counters.add(to: .adapterResets)
    gateway.radio.reset(adapter)
    await gateway.publish(
      .adapterReset, "power", fields: ["adapter": .string(adapter.description), "reason": "commanded"])
    return .done(
      evidence: nil,
      data: [
        "adapter": .string(adapter.description),
        "seconds": .number(((gateway.uptime - start).inSeconds * 10).rounded() / 10),
        "boards_lost": .integer(Int64(lost)),
      ])
  }

  /// Packs what is known of the gateway and its boards.
  func diagnose(_ gateway: isolated Gateway) async -> CommandOutcome {
    var boards: [BoardState] = []
    for supervisor in gateway.supervisorsInOrder { boards.append(await supervisor.state) }
    let host = gateway.environment.host
    let report = DiagnosticReport(
      host: host, gateway: gateway.configuration.gateway.id, time: gateway.now,
      health: gateway.documents.health?.numbers ?? [:],
      adapters: gateway.documents.adapterReports, boards: boards, problems: host.problems())
    do throws(CommandFailure) {
      var data = report.summary
      data["file"] = .string(try await host.bundle(report.files, gateway.now))
      return .done(evidence: nil, data: data)
    } catch {
      return .failed(error)
    }
  }

  private static let replayUnderWay = CommandFailure(
    .busy, "a replay is running already; wait for it, or cancel it", retryAfter: .seconds(30))

  /// Publishes again what was delivered.
  func replay(_ request: ReplayRequest, _ gateway: isolated Gateway) async -> CommandOutcome {
    let stretch = request.period(until: gateway.now)
    let period: JSONObject = [
      "from_ms": .integer(stretch.lowerBound.milliseconds),
      "to_ms": .integer(stretch.upperBound.milliseconds),
    ]
    guard await !gateway.uplink.isReplaying else { return .failed(Self.replayUnderWay) }
    await gateway.publish(.replay, "started", fields: period)
    let done: ReplayProgress.Amount?
    do throws(StoreFailure) {
      done = try await gateway.uplink.replay(request) { await stages.progress($0, nil) }
    } catch {
      return .failed(CommandFailure(.internal, "the delivered messages cannot be read: \(error)"))
    }
    guard let done else { return .failed(Self.replayUnderWay) }
    var fields = period
    fields["messages"] = .integer(Int64(done.messages))
    await gateway.publish(.replay, "finished", fields: fields)
    return .done(
      evidence: nil,
      data: ["messages": .integer(Int64(done.messages)), "samples": .integer(Int64(done.samples))])
  }
}
