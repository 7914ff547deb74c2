import BoardKit
import Dialects
import FleetModel
import Storage

/// One command of the gateway itself.
struct GatewayCommand: Sendable {
  var stages: CommandProgress

  func carryOut(_ intent: GatewayIntent, by gateway: isolated Gateway) async -> CommandOutcome {
    switch intent {
    case .admit(let admission): return await gateway.admit(admission, origin: .command)
    case .forget(let board, let keepsData): return await forget(board, keepsData: keepsData, gateway)
    case .scan(let duration, let all): return await scan(for: duration, all: all, gateway)
    case .reload: return await gateway.reload()
    case .admission(let mode, let window, let profile):
      return setAdmission(mode, for: window ?? .zero, profile: profile, gateway)
    case .drain(let resume): return await drain(resume: resume, gateway)
    case .resetAdapter(let adapter, let force): return await reset(adapter, force: force, gateway)
    case .diagnostics: return await diagnose(gateway)
    case .replay(let request): return await replay(request, gateway)
    }
  }

  private func forget(
    _ board: BoardID, keepsData: Bool, _ gateway: isolated Gateway
  ) async -> CommandOutcome {
    if let failure = gateway.listed(board) { return .failed(failure) }
    guard gateway.roster.isAdmitted(board) else {
      return .failed(.invalid("the board is not admitted; metafleet boards lists those that are"))
    }
    let store = gateway.environment.store
    do throws(StoreFailure) { _ = try await store.boards.dismiss(board) } catch {
      return .failed(CommandFailure(.internal, "the admission cannot be removed: \(error)"))
    }
    gateway.roster.dismiss(board)
    await gateway.reconcile()
    await gateway.publish(
      .boardForgotten, "forgotten", fields: ["board": .string(board.description), "by": "command"])
    var data: JSONObject = [
      "board": .string(board.description),
      "topics_cleared": .integer(Int64(gateway.services.topics.documentsPerBoard)),
    ]
    guard !keepsData else { return .done(evidence: nil, data: data) }
    do throws(StoreFailure) {
      // Nothing is archived for it any more: its supervisor is gone.
      let left = try await store.logs.forget(board)
      data["entries"] = .integer(Int64(left.entries))
      data["undelivered"] = .integer(Int64(left.undelivered))
    } catch {
      return .failed(
        CommandFailure(
          .internal, "the board is removed, but its logged data cannot be deleted: \(error)", data: data))
    }
    gateway.services.logs?.archiveGrew()
    await MaintenanceLoop.cleanStore(gateway)
    return .done(evidence: nil, data: data)
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
        "name": .string(report.name ?? report.board.address.colonSeparated),
      ]
      entry["rssi_dbm"] = report.rssi.map { .integer(Int64($0)) }
      entry["adapter"] = .string(report.adapter.description)
      entry["admitted"] = .bool(gateway.supervisors[report.board] != nil)
      entry["bootloader"] = .bool(family.isBootloader(report))
      return .object(entry)
    }
    return .done(evidence: nil, data: ["boards": .array(boards)])
  }
}
