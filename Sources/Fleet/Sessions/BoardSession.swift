import BoardKit
import FleetModel

/// One link's life: from the interview to the last packet. Made for the link and gone with it; nothing is reset.
///
/// Runs on the radio's executor, where the link hands every packet to its `PacketIntake` without a hop. What it does
/// with the board, one thing at a time, is the business of its parts: `SessionSetup`, `SessionLogs` and
/// `SessionCommands`.
actor BoardSession {
  nonisolated let board: BoardID
  nonisolated let link: any BoardLink
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Confined to the executor; the link calls it there, too.
  private nonisolated(unsafe) let intake: PacketIntake
  private let context: SessionContext
  private let log: BoardLog
  private let setup: SessionSetup
  private let logs: SessionLogs
  private let commands: SessionCommands
  private let reportsWaker = TaskWaker()
  private var isAnswered = false
  /// Whether all that was ordered at the start was tried.
  private var isApplied = false
  private var isUnwanted = false
  private var lastReported = Duration.zero
  private var nextSchedule = Duration.zero

  /// How often the supervisor hears that packets come.
  private static let advertisementPeriod = Duration.seconds(10)
  /// How often schedules are looked at.
  private static let schedulePeriod = Duration.seconds(1)

  init(
    link: any BoardLink, executor: any SerialExecutor, orders: SessionOrders, environment: SessionEnvironment
  ) {
    (board, self.link, self.executor) = (link.board, link, executor)
    context = SessionContext(link: link, orders: orders, environment: environment)
    intake = context.intake
    log = BoardLog(context)
    setup = SessionSetup(context, log: log)
    logs = SessionLogs(context, log: log, setup: setup)
    commands = SessionCommands(context, link: link, setup: setup, logs: logs.commands)
  }

  /// Where the streams ended, after `run`.
  var ends: StreamEnds { intake.ends }

  private var environment: SessionEnvironment { context.environment }
  private var end: LinkFailure? { context.end }

  /// Lives until the link ends. Returns why it ended and whether the board ever answered.
  func run() async -> SessionEnd {
    // The link lets go of both when it ends; a weak reference would be looked up for every packet.
    await link.open(
      received: { characteristic, packet, arrival in
        // Checked in debug builds only: to enter the actor costs as much as the packet.
        self.assertIsolated()
        switch self.intake.receive(packet, from: characteristic, at: arrival) {
        case .none: break
        case .staleSubscriptions: self.assumeIsolated { $0.setup.streams.queueEndOfStaleSubscriptions() }
        case .proved: self.assumeIsolated { $0.reportsWaker.wake() }
        case .unreadable: self.assumeIsolated { $0.endUnreadable() }
        }
      },
      ended: { failure in self.assumeIsolated { $0.context.end(because: failure) } })
    await environment.ticker.join(self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.deliverReports() }
      await runSession()
      group.cancelAll()
    }
    await environment.ticker.leave(self)
    await link.disconnect()
    context.end(because: LinkFailure(.closed, "the session was closed"))
    context.abandonWork()
    intake.flush()
    intake.breakOff(isForGood: isUnwanted)
    await environment.deliver(environment.ticker.intake.takeFinished(at: context.uptime))
    noteLastPacket()
    await context.flushReports()
    return SessionEnd(
      failure: end ?? LinkFailure(.closed, "the session was closed"), wasAnswered: isAnswered,
      isOrdered: commands.isLeaving || context.conversation.isLeaving)
  }

  /// Takes over what a new configuration says of all boards.
  func change(to configuration: FleetConfiguration) {
    context.environment.take(configuration)
    intake.change(to: configuration.lanes)
  }

  /// What it goes by.
  var lanes: LaneLimits { environment.limits }
  var schedules: Schedules { environment.schedules }

  /// Ends the session from our side; `run` returns soon after. `isUnwanted`: nothing is wanted of the board any more.
  /// Otherwise its streams go on with the next link, and what is missing until then is a gap.
  func close(isUnwanted: Bool = false) {
    if end == nil { self.isUnwanted = isUnwanted }
    context.end(because: LinkFailure(.closed, "the gateway closed the connection"))
  }

  /// Has a download under way end at the next piece, and the board log on, before the session ends.
  func closeGracefully(within limit: Duration, isUnwanted: Bool = false) async {
    if end == nil { await logs.downloader.stop(within: limit) }
    close(isUnwanted: isUnwanted)
  }

  private func endUnreadable() { context.end(because: LinkFailure(.silent, MalformedPackets.reason)) }

  // Conversation with the board: one thing at a time.

  private func runSession() async {
    do throws(ProtocolFailure) {
      try await interview()
      if context.orders.link.requestsConservativeParameters {
        try await context.driver.requestConservativeParameters()
      }
      try await logs.reconciler.surveyLog()
      await setup.streams.apply()
      await logs.foreign.meet()
      await logs.downloader.rescue()
      if end == nil { await setup.program.apply() }
      await logs.reconciler.reconcile()
      if end == nil { await setup.program.applyPins() }
      if end == nil { await setup.settings.apply() }
      isApplied = true
      if end == nil { await context.report(.ordersApplied) }
      if context.orders.link.wantsSurvey { enqueue(.survey) }
      await checkLivenessIfSilent()
    } catch {
      return context.fail(because: error)
    }
    while end == nil, !Task.isCancelled {
      guard let unit = context.nextWork() else {
        await context.workWaker.sleep(atMost: nil, by: environment.timekeeper)
        continue
      }
      await carryOut(unit)
      await checkLivenessIfSilent()
    }
  }

  private func interview() async throws(ProtocolFailure) {
    for characteristic in environment.family.notifications {
      do throws(LinkFailure) { try await link.subscribe(to: characteristic) } catch {
        throw .linkEnded(error)
      }
    }
    let interview = try await context.driver.interview(remembering: context.orders.known.driverMemory)
    let found = interview.description
    if let mismatch = IdentityMismatch(found: found.serialNumber, wanted: context.orders.serial) {
      await context.report(.mismatched(found, mismatch))
      throw .linkEnded(LinkFailure(.identityMismatch, mismatch.sentence))
    }
    isAnswered = true
    let hasRebooted = context.orders.take(interview, at: context.now)
    let known = context.orders.known
    context.driver.recall(streams: known.streams)
    context.driver.recall(program: known.program.bytes, isReset: known.program.boot != known.boots.count)
    await context.report(.interviewed(interview, known.boots, hasRebooted: hasRebooted))
  }

  /// Some firmware leaves some questions unanswered. A board that leaves all of them is not there any more, whatever
  /// the system says (fault F28).
  private func checkLivenessIfSilent() async {
    guard context.conversation.takeSilence(), end == nil else { return }
    do throws(ProtocolFailure) { try await context.driver.checkLiveness() } catch {
      context.fail(because: error)
    }
  }

  private func carryOut(_ unit: SessionTask) async {
    switch unit {
    case .apply: await setup.streams.apply()
    case .program: await setup.program.apply()
    case .log: await logs.reconciler.reconcile()
    case .clock: await log.readClock()
    case .agenda(let item): await performItem(to: item)
    case .settings: await setup.settings.apply()
    case .ordersApplied(let continuation):
      await context.report(.ordersApplied)
      continuation?.resume(returning: end == nil)
    case .survey: await setup.program.survey()
    case .restart: await setup.streams.restart()
    case .endStaleSubscriptions: await setup.streams.endStaleSubscriptions()
    case .poll(let key): await setup.polls.poll(key)
    case .battery: await setup.polls.pollBattery()
    case .perform(let intent, let expires, let stages, let continuation):
      guard context.now < expires else {
        return continuation.resume(
          returning: .failed(
            CommandFailure(.expired, "it expired while other commands of the board were running")))
      }
      continuation.resume(returning: await commands.carryOut(intent, stages))
    }
  }

  /// Does something that the contact is for.
  private func performItem(to item: VisitAgenda.Item) async {
    switch item {
    case .clock: await log.readClock()
    case .battery: if setup.polls.isBatteryDue(onContact: true) { await setup.polls.pollBattery() }
    case .reads: await setup.polls.pollAll()
    case .download: await logs.downloader.visit()
    case .leave: await context.report(.agendaDone)
    }
  }

  // The ticker.

  /// Looks after time-outs, polls, schedules and silence. `inTime`: after a stall of ours, packets may still wait to be
  /// read.
  func tick(at uptime: Duration, inTime: Bool) {
    guard end == nil else { return }
    context.conversation.expire(at: uptime)
    intake.expireWaits(at: uptime)
    setup.polls.queue(at: uptime)
    if inTime { setup.streams.watchForSilence(at: uptime) }
    if uptime >= nextSchedule {
      nextSchedule = uptime + Self.schedulePeriod
      if isAnswered, setup.polls.isBatteryDue() { enqueue(.battery) }
      if isApplied, log.isClockDue { enqueue(.clock) }
    }
    if intake.hasReports || uptime - lastReported >= Self.advertisementPeriod { noteLastPacket() }
    if intake.hasReports { reportsWaker.wake() }
  }

  private func noteLastPacket() {
    guard let lastPacket = intake.lastPacket else { return }
    lastReported = context.uptime
    intake.note(.packet(at: lastPacket))
  }

  /// Tells the supervisor what there is to tell, until the session's end.
  private func deliverReports() async {
    while !Task.isCancelled {
      await reportsWaker.sleep(atMost: nil, by: environment.timekeeper)
      await context.flushReports()
    }
    // Whoever waits for something waits for a session that works.
    context.end(because: LinkFailure(.closed, "the session was stopped"))
  }
}

// What is asked of the session from outside; takes effect in its turn.
extension BoardSession {
  /// Queues something for the board.
  func enqueue(_ unit: SessionTask) { context.enqueue(unit) }

  /// Queues a command behind what the board is doing and waits for its end.
  func perform(_ intent: LinkIntent, expires: Timestamp, _ stages: CommandProgress) async -> CommandOutcome {
    await withCheckedContinuation { enqueue(.perform(intent, expires: expires, stages, $0)) }
  }

  /// Returns once all that was ordered before was tried: whether it was.
  func waitUntilApplied() async -> Bool { await withCheckedContinuation { enqueue(.ordersApplied($0)) } }

  /// Waits for the first samples of streams of which none came yet, for a while.
  func awaitFirstSamples() async { await setup.streams.awaitFirstSamples() }

  /// Says what the contact is for; commands go before all of it.
  func order(_ agenda: VisitAgenda) { context.enqueue(agenda) }

  /// Changes what the board should stream.
  func order(streams: [String: StreamRequest], button: Bool) {
    let wanted = context.orders.wanted
    guard streams != wanted.streams || button != wanted.button else { return }
    (context.orders.wanted.streams, context.orders.wanted.button) = (streams, button)
    enqueue(.apply)
  }

  /// Changes what the board should do by itself.
  func order(program: ProgramDeclarations) { setup.program.order(program) }

  /// Changes how the board should present itself.
  func order(settings: SettingsDeclaration) {
    if setup.settings.order(settings), isApplied { enqueue(.settings) }
  }

  /// Changes what the board should log.
  func order(
    logs: [String: StreamRequest], isCircular: Bool, clear: VisitPolicy.Clear, takesForeign: Bool
  ) {
    self.logs.reconciler.order(logs, isCircular: isCircular, clear: clear, takesForeign: takesForeign)
  }
}
