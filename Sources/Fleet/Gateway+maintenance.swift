import BoardKit
import FleetModel
import Storage

/// Verbs for whoever looks after the gateway's computer.
extension Gateway {
  /// Opens or closes the door for boards that nobody named.
  func setAdmission(_ mode: AdmissionPolicy.Mode, for window: Duration, profile: String?) -> CommandOutcome {
    if let failure = profile.flatMap(missing(profile:)) { return .failed(failure) }
    door.set(mode, for: window, profile: profile, at: uptime)
    reportAlarm.ring()
    var data: JSONObject = ["mode": .string(mode.rawValue)]
    if mode == .window { data["until_ms"] = .integer((now + window).milliseconds) }
    return .done(evidence: nil, data: data)
  }

  /// Lets go of all boards, each at a safe point of its session, and connects to none until `resume`.
  func drain(resume: Bool) async -> CommandOutcome {
    isDrained = !resume
    let all = supervisorsInOrder
    guard !resume else {
      for supervisor in all { await supervisor.takeUp() }
      return .done(evidence: nil, data: ["boards": 0])
    }
    await tell(.process, "draining", fields: ["reason": "commanded"])
    let released = await withTaskGroup(of: Bool.self) { group in
      for supervisor in all { group.addTask { await supervisor.release() } }
      var count = 0
      for await wasLinked in group where wasLinked { count += 1 }
      return count
    }
    return .done(evidence: nil, data: ["boards": .integer(Int64(released))])
  }

  /// A link over the adapter that delivered so lately is not disturbed (invariant I20).
  private static let deliverySpan = Duration.seconds(60)

  /// Switches an adapter off and on.
  func reset(_ adapter: AdapterID, force: Bool) async -> CommandOutcome {
    guard adapters[adapter] != nil else {
      let known = adapters.keys.sorted().map(\.description).joined(separator: ", ")
      return .failed(.invalid("there is no adapter \(adapter); there are \(known.isEmpty ? "none" : known)"))
    }
    if !force {
      for supervisor in supervisorsInOrder
      where await supervisor.hasDelivered(on: adapter, within: Self.deliverySpan) {
        return .failed(
          CommandFailure(
            .busy, "\(supervisor.board) sent something over it within the last minute; force overrides",
            retryAfter: Self.deliverySpan))
      }
    }
    let lost = await airtime.adapters[adapter]?.links.count ?? 0
    let start = uptime
    do throws(LinkFailure) { try await environment.radio.reset(adapter) } catch {
      let code: CommandFailure.Code = error.reason == .notPermitted ? .unsupported : .internal
      return .failed(CommandFailure(code, "the adapter could not be reset: \(error.message)"))
    }
    counters.add(to: .adapterResets)
    adapterResets[adapter, default: 0] += 1
    await tell(
      .adapterReset, "power", fields: ["adapter": .string(adapter.description), "reason": "commanded"])
    return .done(
      evidence: nil,
      data: [
        "adapter": .string(adapter.description),
        "seconds": .number(((uptime - start).inSeconds * 10).rounded() / 10),
        "boards_lost": .integer(Int64(lost)),
      ])
  }

  /// Packs what is known of the gateway and its boards.
  func diagnose() async -> CommandOutcome {
    var boards: [BoardState] = []
    for supervisor in supervisorsInOrder { boards.append(await supervisor.state) }
    let host = environment.host
    let report = DiagnosticReport(
      host: host, gateway: configuration.gateway.id, time: now, health: lastHealth?.1 ?? [:],
      adapters: adapterReports.values.sorted { $0.id < $1.id }, boards: boards, problems: host.problems())
    do throws(CommandFailure) {
      var data = report.summary
      data["file"] = .string(try await host.bundle(report.files, now))
      return .done(evidence: nil, data: data)
    } catch {
      return .failed(error)
    }
  }

  private static let replayUnderWay = CommandFailure(
    .busy, "a replay is under way; one at a time", retryAfter: .seconds(30))

  /// Publishes again what was delivered.
  func replay(_ request: ReplayRequest, _ stages: CommandStages) async -> CommandOutcome {
    let stretch = request.period(until: now)
    let period: JSONObject = [
      "from_ms": .integer(stretch.lowerBound.milliseconds),
      "to_ms": .integer(stretch.upperBound.milliseconds),
    ]
    guard await !uplink.isReplaying else { return .failed(Self.replayUnderWay) }
    await tell(.replay, "started", fields: period)
    let done: Replay.Amount?
    do throws(StoreFailure) {
      done = try await uplink.replay(request) { await stages.progress($0, nil) }
    } catch {
      return .failed(CommandFailure(.internal, "what was delivered cannot be read: \(error)"))
    }
    guard let done else { return .failed(Self.replayUnderWay) }
    var fields = period
    fields["messages"] = .integer(Int64(done.messages))
    await tell(.replay, "finished", fields: fields)
    return .done(
      evidence: nil,
      data: ["messages": .integer(Int64(done.messages)), "samples": .integer(Int64(done.samples))])
  }
}
