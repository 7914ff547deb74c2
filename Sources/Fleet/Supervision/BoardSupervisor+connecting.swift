import BoardKit
import FleetModel
import Logging
import Storage

/// The board's link: wanted, attempted, held to its end.
extension BoardSupervisor {
  /// Connects, and again, until the board is retired.
  func keepConnected() async {
    while !isRetired, !Task.isCancelled {
      guard desired.isEnabled, !isReleased else {
        await linkAlarm.sleep(atMost: nil, by: environment.timekeeper)
        continue
      }
      let (isNow, until) = pauseBeforeContact
      guard isNow else {
        dutyAlarm.ring()
        await linkAlarm.sleep(atMost: until.map { $0 - uptime }, by: environment.timekeeper)
        continue
      }
      switch machine.step(at: uptime) {
      case .wait(let until):
        dutyAlarm.ring()
        await linkAlarm.sleep(atMost: until.map { $0 - uptime }, by: environment.timekeeper)
      case .connect: await connect()
      }
    }
  }

  private func connect() async {
    dutyAlarm.ring()
    let grant = await environment.airtime.permit(
      for: board, pin: desired.adapter, failures: machine.failures, purpose: contactPurpose)
    // No grant: the wait was withdrawn, because the radio went or the board was held or retired.
    guard let grant else { return }
    guard machine.state == .wanting, isWanted else {
      return await environment.airtime.attemptFailed(grant, Self.noLongerWanted)
    }
    machine.began(at: uptime)
    abortAlarm = Alarm()
    state.adapter = grant.adapter
    dutyAlarm.ring()
    await environment.linksChanged()
    let link: any BoardLink
    switch await attempt(on: grant.adapter) {
    case .success(let opened): link = opened
    case .failure(let failure):
      await environment.airtime.attemptFailed(grant, failure)
      return await connectFailed(failure, on: grant.adapter)
    }
    guard isWanted else {
      await link.disconnect()
      return await environment.airtime.attemptFailed(grant, Self.noLongerWanted)
    }
    await environment.airtime.linkUp(grant)
    await hold(link)
    // It was there a moment ago: worth an attempt without waiting for the scan to hear it.
    if machine.failures == 0 { await environment.airtime.sighted(board, by: grant.adapter, rssi: state.rssi) }
    await environment.airtime.linkEnded(grant)
    await environment.linksChanged()
  }

  private static let noLongerWanted = LinkFailure(.closed, "no longer wanted")

  private var isWanted: Bool { !isRetired && !isReleased && desired.isEnabled }

  /// One attempt, given up early when the board is no longer wanted: a radio may take its time.
  private func attempt(on adapter: AdapterID) async -> Result<any BoardLink, LinkFailure> {
    let timeout = environment.configuration.bluetooth.connectTimeout
    return await withTaskGroup(of: Result<any BoardLink, LinkFailure>?.self) { group in
      group.addTask { [environment, board] in
        do throws(LinkFailure) {
          return .success(try await environment.radio.connect(to: board, via: adapter, timeout: timeout))
        } catch {
          return .failure(error)
        }
      }
      group.addTask { [abortAlarm, environment] in
        await abortAlarm.sleep(atMost: nil, by: environment.timekeeper)
        return nil
      }
      var outcome: Result<any BoardLink, LinkFailure>?
      for await finished in group {
        // Whichever is first ends the other; a link that came up all the same is not dropped on the floor.
        group.cancelAll()
        if let finished { outcome = finished }
      }
      return outcome ?? .failure(Self.noLongerWanted)
    }
  }

  private func connectFailed(_ failure: LinkFailure, on adapter: AdapterID) async {
    machine.failed(failure, at: uptime, jitter: random.fraction(), isRadioUsable: radioTrouble == nil)
    countFailedSession()
    note("connect failed", failure)
    if machine.removes(after: failure, at: uptime) { await environment.radio.forget(board, on: adapter) }
    await environment.linksChanged()
    dutyAlarm.ring()
  }

  private func countFailedSession() {
    sessionFailures.add(at: uptime)
    environment.counters.add(to: .sessionsFailed)
  }

  /// Writes a failure into the log, and whether the board can be reached by now.
  private func note(_ event: Logger.Message, _ failure: LinkFailure) {
    facts.isUnreachable = machine.failures > Backoff.transientBudget
    environment.log.info(
      event,
      metadata: [
        "board": "\(board)", "reason": "\(failure.reason.rawValue)", "message": "\(failure.message)",
      ])
  }

  /// Runs a session on a link that is up, to its end.
  private func hold(_ link: any BoardLink) async {
    machine.linkUp()
    let session = BoardSession(
      link: link, executor: environment.radio.executor, orders: orders, environment: sessionEnvironment())
    self.session = session
    hasRelaxedLink = machine.isFlapping
    isSessionReady = false
    settledSince = nil
    facts.isAnswering = false
    (contacts.isUnderWay, contacts.isVisited) = (false, false)
    environment.log.info("link up", metadata: ["board": "\(board)", "adapter": "\(link.adapter)"])
    dutyAlarm.ring()
    let end = await session.run()
    let (failure, wasAnswered) = (end.failure, end.wasAnswered)
    ends = await session.ends
    self.session = nil
    isSessionReady = false
    facts.isAnswering = false
    (running, streamTroubles) = ([], [])
    settledSince = nil
    (contacts.isUnderWay, isDownloading) = (false, false)
    configurationIsDue = true
    machine.linkEnded(
      failure, wasAnswered: wasAnswered, at: uptime, jitter: random.fraction(),
      isRadioUsable: radioTrouble == nil, isOrdered: end.isOrdered)
    if wasAnswered {
      facts.lastSession = uptime
      facts.lastSeen = uptime
      state.contact.lastSession = now
      environment.counters.add(to: .sessionsOK)
    } else {
      countFailedSession()
    }
    note("link ended", failure)
    if failure.reason != .closed && !end.isOrdered || machine.isFlapping {
      await tell(
        .linkLost, machine.isFlapping ? "flapping" : "lost",
        fields: ["reason": .string(failure.reason.rawValue), "adapter": .string(link.adapter.description)],
        message: failure.message)
    }
    if machine.removes(after: failure, at: uptime) { await environment.radio.forget(board, on: link.adapter) }
    dutyAlarm.ring()
  }

  private var orders: SessionOrders {
    SessionOrders(
      driverMemory: memory.driverMemory.isEmpty ? nil : memory.driverMemory, boots: boots,
      streams: wantedStreams, earlier: held.sensors(of: wantedProgram.program), program: wantedProgram,
      logs: logOrders, programMemory: programMemory,
      pins: pinOverlay.commands, settings: wantedSettings, knownSettings: knownSettings,
      button: desired.profile.button, lastBattery: state.battery.time,
      relaxesLink: machine.isFlapping && !hasRelaxedLink, isLinkRelaxed: machine.isFlapping,
      wantsSurvey: slots == SlotSurvey() && !machine.isFlapping, ends: ends)
  }

  private func sessionEnvironment() -> SessionEnvironment {
    SessionEnvironment(
      timekeeper: environment.timekeeper, counters: environment.counters, family: environment.family,
      limits: environment.configuration.lanes, batterySchedule: environment.configuration.schedules.battery,
      clockSchedule: environment.configuration.schedules.clock, store: environment.store,
      isHostTimeKnown: environment.isHostTimeKnown, seed: random.next(), heartbeat: environment.heartbeat,
      deliver: environment.deliver,
      report: { [weak self] report in await self?.heard(report) })
  }
}
