import BoardKit
import FleetModel
import Logging

/// The loop that holds a board's link: waits until one is wanted, attempts it, runs its session to the end.
enum ConnectionLoop {
  /// Connects, and again, until the board is retired.
  static func run(for supervisor: isolated BoardSupervisor) async {
    let timekeeper = supervisor.environment.timekeeper
    while !supervisor.isRetired, !Task.isCancelled {
      reconsiderIdentity(of: supervisor)
      guard supervisor.isWanted else {
        await supervisor.connectionWaker.sleep(atMost: nil, by: timekeeper)
        continue
      }
      if let place = supervisor.update?.visit(at: supervisor.uptime) {
        await UpdateVisit.run(at: place, supervisor)
        continue
      }
      switch step(of: supervisor) {
      case .connect: await connect(supervisor)
      case .wait(let until):
        supervisor.dueWorkWaker.wake()
        await supervisor.connectionWaker.sleep(atMost: until.map { $0 - supervisor.uptime }, by: timekeeper)
      }
    }
  }

  /// A board that was not the one that is meant may be so by now, because another serial number is configured, or none.
  private static func reconsiderIdentity(of supervisor: isolated BoardSupervisor) {
    guard let mismatch = supervisor.status.facts.mismatch, mismatch.wanted != supervisor.setup.desired.serial
    else { return }
    supervisor.status.facts.mismatch = nil
    supervisor.link.machine.reconsidered()
    supervisor.dueWorkWaker.wake()
  }

  /// Between two contacts nobody asks when to try.
  private static func step(of supervisor: isolated BoardSupervisor) -> ConnectionMachine.Step {
    let pause = supervisor.contacts.pause(
      supervisor.circumstances, isWaitedFor: supervisor.isWaitedFor)
    guard pause.isNow else { return .wait(until: supervisor.uptime(of: pause.until)) }
    return supervisor.link.machine.step(at: supervisor.uptime)
  }

  private static func connect(_ supervisor: isolated BoardSupervisor) async {
    let (environment, board) = (supervisor.environment, supervisor.board)
    supervisor.dueWorkWaker.wake()
    let grant = await environment.scheduler.permit(
      for: board, pin: supervisor.setup.desired.adapter, failures: supervisor.link.machine.failures,
      purpose: supervisor.contacts.purpose(
        supervisor.circumstances, isWaitedFor: supervisor.isWaitedFor))
    // No grant: the wait was withdrawn, because the radio went or the board was held or retired.
    guard let grant else { return }
    guard supervisor.link.machine.state == .waitingForSlot, supervisor.isWanted else {
      return await environment.scheduler.attemptFailed(grant, BoardConnectAttempt.givenUp)
    }
    supervisor.link.machine.began(at: supervisor.uptime)
    supervisor.link.abort = TaskWaker()
    supervisor.status.state.adapter = grant.adapter
    supervisor.dueWorkWaker.wake()
    let attempt = BoardConnectAttempt(
      board: board, adapter: grant.adapter, timeout: environment.configuration.bluetooth.connectTimeout,
      radio: environment.radio, timekeeper: environment.timekeeper, abort: supervisor.link.abort)
    let link: any BoardLink
    switch await attempt.run() {
    case .success(let opened): link = opened
    case .failure(let failure):
      await environment.scheduler.attemptFailed(grant, failure)
      return await failed(failure, on: grant.adapter, supervisor)
    }
    guard supervisor.isWanted else {
      await link.disconnect()
      return await environment.scheduler.attemptFailed(grant, BoardConnectAttempt.givenUp)
    }
    await environment.scheduler.linkUp(grant)
    await runSession(on: link, supervisor)
    // It was there a moment ago: worth an attempt without waiting for the scan to hear it.
    if supervisor.link.machine.failures == 0 {
      await environment.scheduler.advertised(board, by: grant.adapter, rssi: supervisor.state.rssi)
    }
    await environment.scheduler.linkEnded(grant)
  }

  private static func failed(
    _ failure: LinkFailure, on adapter: AdapterID, _ supervisor: isolated BoardSupervisor
  ) async {
    supervisor.link.machine.failed(
      failure, at: supervisor.uptime, jitter: supervisor.jitter(), isRadioUsable: supervisor.isRadioUsable)
    supervisor.status.sessionFailed(at: supervisor.uptime)
    supervisor.environment.counters.add(to: .sessionsFailed)
    note("cannot connect to the board", failure, supervisor)
    await forgetIfWorn(failure, on: adapter, supervisor)
    supervisor.dueWorkWaker.wake()
  }

  /// Runs a session on a link that is up, to its end.
  private static func runSession(on link: any BoardLink, _ supervisor: isolated BoardSupervisor) async {
    let environment = supervisor.environment
    let session = BoardSession(
      link: link, executor: environment.radio.executor, orders: .init(of: supervisor),
      environment: .init(of: supervisor))
    supervisor.link.began(session, on: link.adapter)
    supervisor.status.state.rssi = supervisor.link.signal(at: supervisor.uptime)?.strength
    supervisor.setup.ordered()
    supervisor.status.linkBegan()
    supervisor.contacts.linkBegan()
    // Links come and go; what the log says of all of them together, see `ConnectionSummary`.
    environment.log.debug(
      "connected to the board", metadata: .board(supervisor, ["adapter": "\(link.adapter)"]))
    supervisor.dueWorkWaker.wake()
    let end = await session.run()
    let ends = await session.ends
    supervisor.link.ended(
      end, ends, at: supervisor.uptime, jitter: supervisor.jitter(), isRadioUsable: supervisor.isRadioUsable)
    supervisor.setup.ordered()
    supervisor.status.linkEnded(
      wasAnswered: end.wasAnswered, at: supervisor.now, uptime: supervisor.uptime)
    supervisor.contacts.linkEnded()
    environment.counters.add(to: end.wasAnswered ? .sessionsOK : .sessionsFailed)
    note("disconnected from the board", end.failure, supervisor)
    let isFlapping = supervisor.link.machine.isFlapping
    let isLost = end.failure.reason != .closed && !end.isOrdered
    if isLost, end.wasAnswered { supervisor.status.linkLost(at: supervisor.uptime) }
    if isLost || isFlapping {
      await supervisor.publish(
        EventDraft(
          .linkLost, isFlapping ? "flapping" : "lost",
          fields: [
            "reason": .string(end.failure.reason.rawValue), "adapter": .string(link.adapter.description),
          ],
          message: end.failure.message))
    }
    await forgetIfWorn(end.failure, on: link.adapter, supervisor)
    if supervisor.update?.awaitsBoard == true {
      await UpdateVisit.leftLink(on: link.adapter, at: supervisor.board, supervisor)
    }
    supervisor.dueWorkWaker.wake()
  }

  /// Has the system forget the device where its own record of it stands in the way.
  private static func forgetIfWorn(
    _ failure: LinkFailure, on adapter: AdapterID, _ supervisor: isolated BoardSupervisor
  ) async {
    guard supervisor.link.machine.removes(after: failure, at: supervisor.uptime) else { return }
    await supervisor.environment.radio.forget(supervisor.board, on: adapter)
  }

  /// Writes a failure into the log, and whether the board can be reached by now.
  private static func note(
    _ event: Logger.Message, _ failure: LinkFailure, _ supervisor: isolated BoardSupervisor
  ) {
    supervisor.status.facts.isUnreachable = supervisor.link.machine.failures > Backoff.transientBudget
    supervisor.environment.log.debug(
      event,
      metadata: .board(
        supervisor, ["reason": "\(failure.reason.rawValue)", "message": "\(failure.message)"]))
  }
}
