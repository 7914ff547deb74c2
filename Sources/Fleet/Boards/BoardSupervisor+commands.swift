import BoardKit
import FleetModel

/// How commands come to the board: in turn, once there is a link.
extension BoardSupervisor: CommandedBoard {
  func takeTurn() -> CommandTurns.Turn { commands.take() }

  func commandStanding() -> CommandStanding {
    CommandStanding(
      groups: setup.desired.groups, chains: wishes.chains, adapter: state.adapter,
      isReachable: link.isReady, nextContact: plannedContact)
  }

  func perform(
    _ intent: BoardIntent, turn: CommandTurns.Turn, expires: Timestamp, mode: CommandRequest.Mode,
    _ stages: CommandStages
  ) async -> CommandOutcome {
    defer {
      commands.leave(turn)
      serveNextTurn()
    }
    if let retirement { return .failed(retirement) }
    if let known = await answerFromMemory(intent) { return known }
    commands.enter()
    dutyAlarm.ring()
    defer {
      commands.exit()
      dutyAlarm.ring()
    }
    return await QueuedCommand(
      intent: intent, turn: turn, expires: expires, isPatient: mode == .queue, stages: stages
    ).run(by: self)
  }

  func withdraw(_ turn: CommandTurns.Turn) { commands.withdraw(turn) }

  /// The answer to what is known already and waits for nobody, nor for a link; nil for everything else.
  private func answerFromMemory(_ intent: BoardIntent) async -> CommandOutcome? {
    switch intent {
    case .explain: await environment.gateway.explain(board)
    case .link(.device(.read(let request))) where request.what == "rssi":
      HeardSignal.answer(link.signal, now: uptime)
    default: nil
    }
  }

  /// The board is about to hear of it.
  func noteSent(_ turn: CommandTurns.Turn) { commands.sent(turn) }

  /// Lets the next command begin where the board is there and no other runs.
  private func serveNextTurn() {
    if link.isReady { commands.serve() }
  }

  /// Waits for a link, and for the turn where there is one. Whether both came in time.
  func waits(
    until expires: Timestamp, isPatient: Bool, turn: CommandTurns.Turn?,
    queued: (@Sendable (Timestamp?) async -> Void)?
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      commands.wait(
        LinkWaiter(
          deadline: uptime + (expires - now), isPatient: isPatient, turn: turn, queued: queued,
          continuation: continuation))
      dutyAlarm.ring()
      if !isPatient { linkAlarm.ring() }
    }
  }

  func cannotConnect(isPatient: Bool) -> Bool {
    link.cannotConnect(isPatient: isPatient, isEnabled: setup.desired.isEnabled)
  }

  /// Why a command did not begin before it expired.
  func noLink() -> CommandFailure {
    link.noLink(
      isBusy: commands.turns.current != nil, isEnabled: setup.desired.isEnabled,
      isRadioUsable: isRadioUsable)
  }
}
