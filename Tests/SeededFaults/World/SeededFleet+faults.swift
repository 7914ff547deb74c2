import BoardKit
import FleetModel
import Simulator
import Support
import VirtualTime

/// What the script has happen.
extension SeededFleet {
  func inflict(_ fault: SeededFault) async {
    ledger.note(.fault(fault))
    switch fault {
    case .dropLink(let board): await radio.radio.loseLink(of: board)
    case .refuseConnects(let board, let reason, let times): await radio.refuse(board, reason, times: times)
    case .ignoreConnects(let board, let times): await radio.refuse(board, nil, times: times)
    case .mute(let board, let span):
      await radio.setMute(board, true)
      cure(fault, after: span)
    case .vanish(let board, let span):
      await radio.radio.changeAir { $0.outOfRange.insert(board.address) }
      await radio.radio.loseLink(of: board)
      cure(fault, after: span)
    case .resetBoard(let board): await apply(.reset, board)
    case .lowBattery(let board): await apply(.battery(percent: 5), board)
    case .flood(let board, let count):
      // Acceleration that nobody ordered this way, as an old subscription would send it.
      await radio.inject([0x03, 0x04, 1, 0, 2, 0, 3, 0], times: count, from: board)
    case .malformed(let board, let count): await radio.inject([0x03, 0x04, 1], times: count, from: board)
    case .evilName(let board): await radio.setEvilName(board)
    case .pressButton(let board):
      for isPressed in [true, false] {
        await radio.radio.perform(on: board, as: MetaMotionBoard.self) { board, now in
          board.perform { $0.setSwitch(pressed: isPressed, at: now) }
        }
      }
    case .bootloader(let board, let defect): await apply(.defect(.bootloader(defect)), board)
    case .delayPackets(let span):
      await radio.radio.changeAir { $0.conditions.latency = .milliseconds(100)...(.milliseconds(2000)) }
      cure(fault, after: span)
    case .losePackets(let span):
      await radio.radio.changeAir { $0.conditions.lostNotifications = 0.3 }
      cure(fault, after: span)
    case .adapterOff(let span):
      await radio.radio.setAdapter(SimulatedRadio.adapter.id, .down)
      cure(fault, after: span)
    case .adapterRemoved(let span):
      await radio.radio.removeAdapter(SimulatedRadio.adapter.id)
      cure(fault, after: span)
    case .adapterRenamed:
      await radio.radio.removeAdapter(SimulatedRadio.adapter.id)
      await radio.radio.setAdapter(SimulatedRadio.adapter.id, .up, name: "hci10")
    case .serviceGone(let span):
      await radio.radio.setService(isThere: false)
      cure(fault, after: span)
    case .brokerAway(let span):
      await broker.setReachable(false)
      cure(fault, after: span)
    case .brokerReset: await broker.reset()
    case .brokerForgets: await broker.forget()
    case .brokerRefuses(let span):
      await broker.setFate(.refused(0x97))
      cure(fault, after: span)
    case .brokerMute(let span):
      await broker.setFate(.unacknowledged)
      cure(fault, after: span)
    case .brokerSwallows(let span):
      await broker.setFate(.swallowed)
      cure(fault, after: span)
    case .kill(let pause):
      guard let daemon else { return }
      daemon.process.kill()
      await bury(downFor: pause)
    case .restart(let pause):
      guard let daemon else { return }
      self.daemon = nil
      ledger.note(.ended(isClean: true))
      await daemon.stop()
      await radio.daemonDied()
      cure(fault, after: pause)
    case .command(let command):
      // Noted first: it may be carried out before the broker says that it was passed on.
      if await broker.passes(command.topic) { ledger.note(.commanded(command)) }
      await broker.send(command.message(at: world.now))
    }
  }

  func takeBack(_ fault: SeededFault) async {
    switch fault {
    case .mute(let board, _): await radio.setMute(board, false)
    case .vanish(let board, _): await radio.radio.changeAir { $0.outOfRange.remove(board.address) }
    case .delayPackets: await radio.radio.changeAir { $0.conditions.latency = .zero ... .zero }
    case .losePackets: await radio.radio.changeAir { $0.conditions.lostNotifications = 0 }
    case .adapterOff, .adapterRemoved: await radio.radio.setAdapter(SimulatedRadio.adapter.id, .up)
    case .serviceGone: await radio.radio.setService(isThere: true)
    case .brokerAway: await broker.setReachable(true)
    case .brokerRefuses: await broker.setFate(.accepted)
    case .brokerMute, .brokerSwallows:
      await broker.setFate(.accepted)
      await broker.reset()
    case .kill, .restart: if daemon == nil { await start() }
    default: break
    }
    ledger.note(.cured(fault))
  }

  /// Somebody takes out the battery of each board that is in its bootloader, and puts it in again: some are off
  /// the air.
  func mendBootloaders() async {
    for board in FleetHealth.names(script.boards) {
      await radio.radio.perform(on: board, as: MetaMotionBoard.self) { board, now in
        let effects = board.apply(.healed(.bootloader), at: now)
        return effects + (board.firmware.isBootloader ? board.apply(.reset, at: now) : [])
      }
    }
  }

  /// Boards whose batteries are low get no firmware; most are to get some.
  func charge() async {
    for board in FleetHealth.names(script.boards) { await apply(.battery(percent: 90), board) }
  }

  /// What boards themselves show, whatever is said of them.
  func look() async {
    for id in FleetHealth.names(script.boards) {
      guard let board = await radio.radio.board(id, as: MetaMotionBoard.self) else { continue }
      ledger.note(
        .shows(
          id, version: board.firmware.model.firmwareRevision, isBootloader: board.firmware.isBootloader))
    }
  }

  private func cure(_ fault: SeededFault, after span: Duration) { cures.append((world.uptime + span, fault)) }

  private func apply(_ fault: BoardFault, _ board: BoardID) async {
    await radio.radio.perform(on: board, as: MetaMotionBoard.self) { board, now in
      board.apply(fault, at: now)
    }
  }
}
