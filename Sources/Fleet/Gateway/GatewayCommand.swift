import BoardKit
import FleetModel

/// One command of the gateway itself.
struct GatewayCommand: Sendable {
  var stages: CommandProgress

  func carryOut(_ intent: GatewayIntent, by gateway: isolated Gateway) async -> CommandOutcome {
    switch intent {
    case .admit(let admission): return await gateway.admit(admission, origin: .command)
    case .forget(let request): return await forget(request, gateway)
    case .scan(let duration, let all): return await scan(for: duration, all: all, gateway)
    case .reload(let isConfirmed): return await gateway.reload(isConfirmed: isConfirmed)
    case .admission(let mode, let window, let profile):
      return setAdmission(mode, for: window ?? .zero, profile: profile, gateway)
    case .drain(let resume): return await drain(resume: resume, gateway)
    case .resetAdapter(let adapter, let force): return await reset(adapter, force: force, gateway)
    case .diagnostics: return await diagnose(gateway)
    case .replay(let request): return await replay(request, gateway)
    case .deleteSessions(let request): return await delete(request, gateway)
    case .acknowledgeAlarms(let request): return await acknowledge(request, gateway)
    case .rollout(let request): return await carryOut(request, gateway)
    }
  }

  private func scan(
    for duration: Duration, all: Bool, _ gateway: isolated Gateway
  ) async -> CommandOutcome {
    guard gateway.radio.trouble == nil else {
      return .failed(
        CommandFailure(
          .unreachable, "no Bluetooth adapter can be used: \(gateway.radio.serviceMessage)"))
    }
    guard gateway.radio.scan == nil else {
      return .failed(
        CommandFailure(.busy, "a scan is running already; try again when it is over", retryAfter: duration))
    }
    let environment = gateway.environment
    gateway.radio.scanBegins()
    if all { await environment.radio.discover(true, unfiltered: true) }
    do { try await environment.timekeeper.sleep(for: duration) } catch {}
    if all { await environment.radio.discover(true, unfiltered: false) }
    let family = environment.family
    let heard = gateway.radio.scanEnds()
      .filter { all || family.recognises($0) || family.isBootloader($0) }
      .sorted { ($0.rssi ?? -128, $1.board) > ($1.rssi ?? -128, $0.board) }
    let boards: [JSONValue] = heard.prefix(200).map { report in
      var entry: JSONObject = [
        "board": .string(report.board.description),
        "name": .string(report.visibleName ?? report.board.address.colonSeparated),
      ]
      entry["rssi_dbm"] = report.rssi.map { .integer(Int64($0)) }
      entry["adapter"] = .string(report.adapter.description)
      entry["admitted"] = .bool(gateway.supervisors[report.board] != nil)
      entry["blocked"] = .bool(gateway.joining.blocked.contains(report.board))
      entry["bootloader"] = .bool(family.isBootloader(report))
      return .object(entry)
    }
    return .done(evidence: nil, data: ["boards": .array(boards)])
  }
}
