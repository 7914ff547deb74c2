import BoardKit
import Dialects
package import FleetModel
import Storage

/// Commands of the gateway itself.
extension Gateway {
  func perform(_ intent: Intent, _ stages: CommandStages) async -> CommandOutcome {
    switch intent {
    case .admit(let admission): return await admit(admission, origin: .command)
    case .forget(let board, let keepsData): return await forget(board, keepsData: keepsData)
    case .scan(let duration, let all): return await scan(for: duration, all: all)
    case .reload: return await reload()
    case .admission(let mode, let window, let profile):
      return setAdmission(mode, for: window ?? .zero, profile: profile)
    case .drain(let resume): return await drain(resume: resume)
    case .resetAdapter(let adapter, let force): return await reset(adapter, force: force)
    case .diagnostics: return await diagnose()
    case .replay(let request): return await replay(request, stages)
    // The desk knows what waits and runs.
    case .cancel: return .failed(CommandFailure(.internal, "a verb of the command desk reached the gateway"))
    case .led, .identify, .haptic, .read, .streamStart, .streamStop, .sensor, .pin, .bus, .beacon, .settings,
      .program, .log, .profile, .reset, .factoryReset, .sleep, .raw, .disconnect, .bootloader, .firmwareCheck,
      .firmwareUpdate, .firmwareAbort, .explain:
      return .failed(CommandFailure(.internal, "a verb of boards reached the gateway"))
    }
  }

  /// Lets a board in, or changes what is said of it.
  func admit(_ admission: Admission, origin: DesiredBoard.Origin) async -> CommandOutcome {
    if desired[admission.board]?.origin == .file {
      return .failed(.invalid("the board is listed in the configuration file; edit the file and reload"))
    }
    if let failure = admission.profile.flatMap(missing(profile:)) { return .failed(failure) }
    let merged = KeptAdmission.merge(admission, over: admitted[admission.board]?.admission)
    do throws(StoreFailure) {
      let isNew = try await environment.store.admit(
        BoardAdmission(
          board: admission.board, document: KeptAdmission.bytes(merged), created: now,
          admittedBy: origin.rawValue))
      if isNew { try await environment.store.keepLogs(of: admission.board) }
      admitted[admission.board] = (merged, admitted[admission.board]?.origin ?? origin)
      await reconcile()
      if isNew {
        await tell(
          .boardAdmitted, "admitted",
          fields: ["board": .string(admission.board.description), "by": .string(origin.rawValue)])
      }
      return .done(
        evidence: nil, data: ["board": .string(admission.board.description), "created": .bool(isNew)])
    } catch {
      return .failed(CommandFailure(.internal, "the admission cannot be stored: \(error)"))
    }
  }

  /// Why nobody can have a profile of that name; nil when it is there.
  func missing(profile: String) -> CommandFailure? {
    guard configuration.profiles[profile] == nil else { return nil }
    return .invalid(
      "there is no profile \(profile); there are \(configuration.profiles.keys.sorted().joined(separator: ", "))"
    )
  }

  /// Gives a board the profile that a verb chose for it.
  func choose(_ choice: ProfileChoice?, for board: BoardID) async {
    choices[board] = choice
    await reconcile()
  }

  private func forget(_ board: BoardID, keepsData: Bool) async -> CommandOutcome {
    if desired[board]?.origin == .file {
      return .failed(.invalid("the board is listed in the configuration file; edit the file and reload"))
    }
    guard admitted[board] != nil else { return .failed(.invalid("the board is not admitted")) }
    do throws(StoreFailure) { _ = try await environment.store.dismiss(board) } catch {
      return .failed(CommandFailure(.internal, "the admission cannot be removed: \(error)"))
    }
    admitted[board] = nil
    await reconcile()
    await tell(
      .boardForgotten, "forgotten", fields: ["board": .string(board.description), "by": "command"])
    var data: JSONObject = [
      "board": .string(board.description), "topics_cleared": .integer(Int64(topics.documentsPerBoard)),
    ]
    guard !keepsData else { return .done(evidence: nil, data: data) }
    do throws(StoreFailure) {
      // Nothing is archived for it any more: its supervisor is gone.
      let left = try await environment.store.forgetLogs(of: board)
      data["entries"] = .integer(Int64(left.entries))
      data["undelivered"] = .integer(Int64(left.undelivered))
    } catch {
      return .failed(
        CommandFailure(
          .internal, "the board is let go of, but what it logged cannot be removed: \(error)", data: data))
    }
    logs?.archiveGrew()
    await cleanStore()
    return .done(evidence: nil, data: data)
  }

  private func scan(for duration: Duration, all: Bool) async -> CommandOutcome {
    guard lastTrouble == nil else {
      return .failed(CommandFailure(.unreachable, "no Bluetooth adapter can be used: \(serviceMessage)"))
    }
    guard scanning == nil else {
      return .failed(CommandFailure(.busy, "a scan is under way", retryAfter: duration))
    }
    scanning = [:]
    defer { scanning = nil }
    if all { await environment.radio.discover(true, unfiltered: true) }
    do { try await environment.timekeeper.sleep(for: duration) } catch {}
    if all { await environment.radio.discover(true, unfiltered: false) }
    let family = environment.family
    let heard = (scanning ?? [:]).values.filter { all || family.recognises($0) || family.isBootloader($0) }
      .sorted { ($0.rssi ?? -128, $1.board) > ($1.rssi ?? -128, $0.board) }
    let boards: [JSONValue] = heard.prefix(200).map { sighting in
      var entry: JSONObject = [
        "board": .string(sighting.board.description),
        "name": .string(sighting.name ?? sighting.board.address.colonSeparated),
      ]
      entry["rssi_dbm"] = sighting.rssi.map { .integer(Int64($0)) }
      entry["adapter"] = .string(sighting.adapter.description)
      entry["admitted"] = .bool(supervisors[sighting.board] != nil)
      entry["bootloader"] = .bool(family.isBootloader(sighting))
      return .object(entry)
    }
    return .done(evidence: nil, data: ["boards": .array(boards)])
  }

  /// Reads the file again and applies what can be applied to a running gateway.
  package func reload() async -> CommandOutcome {
    let new: FleetConfiguration
    do throws(CommandFailure) { new = try await environment.reload() } catch {
      await tell(
        .config, "rejected",
        fields: ["problems": error.data["problems"]?.array.map { .integer(Int64($0.count)) } ?? 1])
      return .failed(error)
    }
    let (changed, needsRestart) = ConfigurationChange.between(configuration, new)
    var applied = new
    ConfigurationChange.keepWhatNeedsRestart(of: configuration, in: &applied)
    configuration = applied
    door.reloaded(applied.admission, since: startedUptime)
    await desk.change(to: applied.commands)
    for supervisor in supervisorsInOrder { await supervisor.change(to: applied.commands.permissions) }
    await reconcile()
    reportAlarm.ring()
    await tell(.config, "reloaded", fields: ["problems": 0])
    return .done(
      evidence: nil,
      data: [
        "changed": .array(changed.map { .string($0) }),
        "needs_restart": .array(needsRestart.map { .string($0) }),
        "problems": [],
      ])
  }
}
