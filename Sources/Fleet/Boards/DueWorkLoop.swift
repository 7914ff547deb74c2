import FleetModel

/// The loop that does what is due for a board: its documents, its contacts, the ends of what has a time.
enum DueWorkLoop {
  /// Does what is due and sleeps until the next thing is.
  static func run(for supervisor: isolated BoardSupervisor) async {
    while !Task.isCancelled {
      let next = await perform(supervisor)
      await supervisor.dueWorkWaker.sleep(
        atMost: next.map { max(.zero, $0 - supervisor.uptime) }, by: supervisor.environment.timekeeper)
    }
  }

  /// Returns when something is due again.
  private static func perform(_ supervisor: isolated BoardSupervisor) async -> Duration? {
    var next: [Duration?] = []
    await leaveOtherBoard(supervisor)
    if let info = supervisor.status.identity.takeDue() { await supervisor.environment.deliver([.info(info)]) }
    if supervisor.setup.expire(at: supervisor.now) {
      await supervisor.remember()
      await supervisor.order()
    }
    await publishConfiguration(supervisor)
    next.append(
      supervisor.setup.proofDue(isLinked: supervisor.isLinked, uptime: supervisor.uptime))
    next.append(supervisor.uptime(of: supervisor.setup.overlay.streams.nextExpiry))
    next.append(await endLED(supervisor))
    next.append(await MaintenanceOrder.expire(by: supervisor))
    next.append(supervisor.commands.expire(at: supervisor.uptime))
    await notifyQueued(supervisor)
    next.append(await UpdateEffects.expire(by: supervisor))
    next.append(await supervisor.judgeAvailability())
    next.append(await runDueContact(supervisor))
    let level = supervisor.log.watchLevel(at: supervisor.now)
    await supervisor.carryOut(level.effects)
    next.append(supervisor.uptime(of: level.next))
    next.append(await publishState(supervisor))
    next.append(supervisor.status.pauseEnd(after: supervisor.uptime))
    return next.compactMap { $0 }.min()
  }

  /// Ends the link to a board that is not the one that is meant, since a serial number was configured.
  private static func leaveOtherBoard(_ supervisor: isolated BoardSupervisor) async {
    guard let session = supervisor.link.session, isOther(supervisor) else { return }
    await session.close()
  }

  /// Not part of its caller: what a description needs of the stack, the task of every board would keep for good.
  @inline(never)
  private static func isOther(_ supervisor: isolated BoardSupervisor) -> Bool {
    guard supervisor.status.facts.isAnswering,
      let found = supervisor.status.identity.description?.serialNumber
    else { return false }
    return IdentityMismatch(found: found, wanted: supervisor.setup.desired.serial) != nil
  }

  /// Tells senders whose commands wait for the next contact when that is planned.
  private static func notifyQueued(_ supervisor: isolated BoardSupervisor) async {
    guard !supervisor.link.isReady else { return }
    let eta = supervisor.plannedContact
    for publish in supervisor.commands.notices(eta, at: supervisor.now) { await publish(eta) }
  }

  private static func publishConfiguration(_ supervisor: isolated BoardSupervisor) async {
    let report = supervisor.setup.dueReport(
      isLinked: supervisor.isLinked, at: supervisor.now, uptime: supervisor.uptime)
    guard let report else { return }
    supervisor.status.state.isInSync = report.isInSync
    await supervisor.environment.deliver([.configuration(report)])
  }

  /// An LED that was shown for a time goes out by itself.
  private static func endLED(_ supervisor: isolated BoardSupervisor) async -> Duration? {
    guard let end = supervisor.status.ledEnds else { return nil }
    guard end <= supervisor.now else { return supervisor.uptime(of: end) }
    await supervisor.show(LEDState(appearance: nil, until: nil, time: end))
    return nil
  }

  /// Gives a link its agenda when it is time. Returns when that may be.
  private static func runDueContact(_ supervisor: isolated BoardSupervisor) async -> Duration? {
    let missed = await tellMissed(supervisor)
    if let session = supervisor.link.session, supervisor.setup.appliedSince != nil,
      let agenda = supervisor.contacts.begin(
        supervisor.circumstances, isIdle: supervisor.isIdle,
        hasLog: !supervisor.desiredSetup.logs.isEmpty || supervisor.log.estimate != nil)
    {
      if let late = supervisor.contacts.lateness {
        supervisor.environment.counters.distributions.note(late, in: .visitLateness)
      }
      await session.order(agenda)
      return nil
    }
    return [supervisor.nextDue, missed].compactMap { supervisor.uptime(of: $0) }.min()
  }

  /// Tells what was due of a board without a link. Returns when the next thing counts as missed.
  private static func tellMissed(_ supervisor: isolated BoardSupervisor) async -> Timestamp? {
    // Whom nobody wants to be connected misses nothing; one that is let go of for a while does.
    guard !supervisor.isLinked, !supervisor.isRetired, supervisor.setup.desired.isEnabled else { return nil }
    let circumstances = supervisor.circumstances
    let missed = supervisor.contacts.takeMissed(circumstances)
    let next = supervisor.contacts.nextMissed(circumstances)
    for draft in missed {
      supervisor.environment.counters.add(to: .contactsMissed)
      await supervisor.publish(draft)
    }
    return next
  }

  private static func publishState(_ supervisor: isolated BoardSupervisor) async -> Duration? {
    refreshState(of: supervisor)
    let (isDue, again) = supervisor.status.offerState(at: supervisor.uptime)
    guard isDue else { return again }
    await supervisor.environment.deliver([.state(supervisor.state)])
    if supervisor.status.isCountedAnew { await supervisor.environment.gateway.countedAnew() }
    return again
  }

  /// What is said of a board whose gateway stops: it is connected no more.
  static func publishLast(_ supervisor: isolated BoardSupervisor) async {
    await supervisor.judgeAvailability()
    refreshState(of: supervisor)
    if supervisor.status.stopped() { await supervisor.environment.deliver([.state(supervisor.state)]) }
  }

  /// Brings the state to what is so now.
  private static func refreshState(of supervisor: isolated BoardSupervisor) {
    let (setup, link, window) = (
      supervisor.setup, supervisor.link, supervisor.availabilityWindow
    )
    let pause = supervisor.contacts.pause(
      supervisor.circumstances, isWaitedFor: supervisor.isWaitedFor)
    let phaseRule = LinkPhaseRule(
      facts: supervisor.status.facts, window: window, connection: link.machine.state,
      lastFailure: link.machine.lastFailure,
      activity: supervisor.isLinked ? supervisor.status.activity : nil,
      refusals: setup.refusals, isEnabled: setup.desired.isEnabled,
      isDrained: link.isDrained, isContactDue: pause.isNow, isLogging: supervisor.log.isLogging)
    supervisor.status.refresh(
      phaseRule, supervisor.log.estimate, troubles: setup.logTroubles, at: supervisor.now,
      uptime: supervisor.uptime)
    supervisor.status.state.orders.commandsWaiting = supervisor.commands.count
    supervisor.status.expect(
      supervisor.desiredSetup.keepsConnection
        ? supervisor.state.contact.lastSeen.map { $0 + window } : supervisor.nextDue)
  }
}
