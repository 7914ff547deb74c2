import FleetModel
import Logging
import Storage

/// Step by step: what is decided is written down before it is done.
extension RolloutRunner {
  /// Takes up what the last run left. Before commands are, whose ends are told to rollouts; where it cannot be read,
  /// again later, and nothing is begun until then.
  func takeUp() async {
    do throws(StoreFailure) {
      try await takeUp(store.rollouts.all())
      began(.done)
      await routes.publish(RolloutPublication(reports: reports, changed: reports.first))
    } catch {
      (live, past) = (nil, [])
      note(error)
      began(.failed)
    }
  }

  private func takeUp(_ stored: [StoredRollout]) async throws(StoreFailure) {
    for row in stored {
      guard let rollout = Rollout(row) else {
        log.error("a stored rollout cannot be read", metadata: ["rollout": "\(row.id)"])
        continue
      }
      if rollout.isFinished {
        past.append(rollout.report(began: row.began, at: row.changed))
      } else {
        live = LiveRollout(rollout: rollout, began: row.began)
      }
    }
    try await takeUpMembers()
  }

  /// What became of the commands of boards that were being updated.
  private func takeUpMembers() async throws(StoreFailure) {
    guard let rollout = live?.rollout else { return }
    let running = rollout.members.filter { $0.value.adapter != nil }
    let keys = running.map { board, member in
      let request = rollout.plan.request(for: board, attempt: member.attempts, at: timekeeper.now)
      return (board, routes.memberKey(request))
    }
    let answers = try await store.commands.answers(to: keys.map(\.1))
    for (board, key) in keys.sorted(by: { $0.0 < $1.0 }) {
      switch answers[key] {
      case nil: add(.event(.ended(board, .postponed("the gateway ended before its update was begun"))))
      // Its end is told when the command is taken up.
      case .some(nil): live?.awaited.insert(board)
      case .some(let reply?):
        let document = (try? StrictJSON.parse(reply, limits: .trusting))?.object ?? [:]
        guard let result = RolloutEnd.result(ofStored: CommandOutcome(stored: document)) else { continue }
        add(.event(.ended(board, result)))
      }
    }
  }

  /// Takes up one thing. Whether it is written down.
  func take(_ kind: RolloutErrand.Kind) async -> Bool {
    switch kind {
    case .begin(let rollout): return await begin(rollout)
    case .event(let event): return await happened(event, routes.fleet())
    case .ended(let board, let outcome):
      live?.awaited.remove(board)
      let (fleet, plan) = (await routes.fleet(), live?.rollout.plan)
      // Where the same is to be installed again, its version says nothing.
      let version = plan?.options.isForced == true ? nil : plan?.version
      guard let result = RolloutEnd.result(of: outcome, fleet.boards[board], wanting: version) else {
        return true
      }
      return await happened(.ended(board, result), fleet)
    }
  }

  /// Takes what happened to boards, or what was asked; where it cannot be written down, it is taken again.
  private func happened(_ event: Rollout.Event, _ fleet: RolloutFleet) async -> Bool {
    if await step(event, fleet) { return true }
    if let board = event.board {
      live?.unwritten.append(event)
      // It has told how it ended.
      live?.awaited.insert(board)
    }
    return false
  }

  private func begin(_ rollout: Rollout) async -> Bool {
    guard live == nil else { return false }
    let row = StoredRollout(
      id: rollout.plan.id, plan: JSONWriter.render(rollout.plan.document),
      state: JSONWriter.render(rollout.document), began: timekeeper.now, changed: timekeeper.now,
      isOver: false)
    do throws(StoreFailure) { try await store.rollouts.begin(row) } catch {
      note(error)
      return false
    }
    live = LiveRollout(rollout: rollout, began: row.began)
    await publish(from: nil)
    // What cannot be written down now is tried again.
    _ = await step(.begin, routes.fleet())
    return true
  }

  /// Looks whether time, or boards, brought something about.
  func look() async {
    let fleet = await routes.fleet()
    while let event = live?.unwritten.first {
      guard await step(event, fleet) else { return }
      live?.unwritten.removeFirst()
      if let board = event.board { live?.awaited.remove(board) }
    }
    for (board, member) in live?.rollout.members.sorted(by: { $0.key < $1.key }) ?? [] {
      guard live?.awaited.contains(board) == false, !fleet.withheld.contains(board) else { continue }
      if fleet.boards[board] == nil { _ = await step(.removed(board), fleet) }
      guard member.adapter != nil,
        let event = RolloutEnd.event(of: board, fleet.boards[board], isOverdue: !member.isRunning)
      else { continue }
      _ = await step(event, fleet)
    }
    _ = await step(live?.rollout.phase == .planned ? .begin : .tick, fleet)
  }

  /// Decides, writes down, does. False where it could not be written down: then nothing happened.
  @discardableResult
  private func step(_ event: Rollout.Event, _ fleet: RolloutFleet) async -> Bool {
    guard let before = live?.rollout else { return false }
    var rollout = before
    let effects = rollout.next(event, conditions(fleet))
    if effects.contains(.keep) {
      do throws(StoreFailure) {
        try await store.rollouts.keep(
          JSONWriter.render(rollout.document), of: rollout.plan.id, isOver: rollout.isFinished,
          at: timekeeper.now)
      } catch {
        note(error)
        return false
      }
    }
    live?.rollout = rollout
    for effect in effects {
      switch effect {
      case .keep: break
      case .start(let board): await start(board)
      case .examine(let board): examine(board, fleet)
      case .publish: await publish(from: before)
      case .finish: await finish()
      }
    }
    return true
  }

  private func start(_ board: BoardID) async {
    guard let rollout = live?.rollout, let attempt = rollout.members[board]?.attempts else { return }
    let request = rollout.plan.request(for: board, attempt: attempt, at: timekeeper.now)
    live?.awaited.insert(board)
    let command = MemberCommand(request: request, job: routes.key(rollout.plan))
    switch await routes.begin(command) {
    case .begun: break
    case .refused(let failure): add(.ended(board, .failed(failure)))
    case .repeated(.finished(let reply)):
      let document = (try? StrictJSON.parse(reply, limits: .trusting))?.object ?? [:]
      add(.ended(board, CommandOutcome(stored: document)))
    case .repeated:
      add(.ended(board, .failed(CommandFailure(.duplicateIDMismatch, "its id is taken: \(request.id)"))))
    }
  }

  /// A board that does not answer now is looked at when it does.
  private func examine(_ board: BoardID, _ fleet: RolloutFleet) {
    guard let found = fleet.boards[board], found.isAnswering else { return }
    add(.event(.examined(board, found.health)))
  }

  private func publish(from before: Rollout?) async {
    guard let live else { return }
    let report = live.rollout.report(began: live.began, at: timekeeper.now)
    await routes.publish(
      RolloutPublication(
        reports: reports, changed: report, events: RolloutChanges.types(from: before, to: live.rollout),
        fields: RolloutChanges.fields(of: live.rollout), message: live.rollout.reason))
  }

  /// It is over: the last ones stay, to be looked up.
  private func finish() async {
    guard let live else { return }
    past.append(live.rollout.report(began: live.began, at: timekeeper.now))
    self.live = nil
    let forgotten = (try? await store.rollouts.trim()) ?? []
    past.removeAll { forgotten.contains($0.id) }
    await routes.publish(RolloutPublication(reports: reports, forgotten: forgotten))
  }

  private func note(_ failure: StoreFailure) {
    log.error("what is stored of rollouts cannot be read or written", metadata: ["reason": "\(failure)"])
  }
}

extension Rollout {
  /// Reads a stored one; nil where it cannot be read any more.
  init?(_ row: StoredRollout) {
    func object(_ bytes: [UInt8]) -> JSONObject? { (try? StrictJSON.parse(bytes, limits: .trusting))?.object }
    guard let plan = object(row.plan).flatMap({ RolloutPlan(document: $0) }), let state = object(row.state)
    else { return nil }
    self.init(plan, document: state)
  }
}

extension RolloutPlan {
  /// Why it is not begun; nil where it can be.
  func objection(_ answer: JSONObject) -> CommandFailure? {
    if members.isEmpty {
      let reason = refusals.sorted { $0.key < $1.key }.first.map { ": \($0.key): \($0.value)" } ?? ""
      return CommandFailure(
        .unsupported, "no board of the group can have firmware \(version)\(reason)", data: answer)
    }
    let missing = options.namedCanaries.subtracting(members.map(\.board)).sorted()
    guard let board = missing.first else { return nil }
    let why = refusals[board] ?? "it is not in the group"
    return CommandFailure(.invalid, "board \(board) of canaries cannot be the first: \(why)", data: answer)
  }
}
