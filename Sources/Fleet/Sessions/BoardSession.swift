import BoardKit
import FleetModel

/// One link's life: from the interview to the last packet. Made for the link and gone with it; nothing is reset.
///
/// Runs on the radio's executor, where the link hands every packet to its `PacketIntake` without a hop.
actor BoardSession {
  nonisolated let board: BoardID
  nonisolated let link: any BoardLink
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let environment: SessionEnvironment
  let conversation: Conversation
  let driver: any BoardDriver
  var orders: SessionOrders
  /// Confined to the executor; the link calls it there, too.
  nonisolated(unsafe) let intake: PacketIntake
  var keys: [String: StreamKey] = [:]
  var feeding = ChainFeeding()
  var log = SessionLog()
  /// What the contact is for, when nothing else waits.
  private var agenda = VisitAgenda()
  var random: SeededGenerator
  private var work: [SessionWork] = []
  private let workAlarm = Alarm()
  private let newsAlarm = Alarm()
  private(set) var end: LinkFailure?
  /// What came of the ordered settings.
  var settings = SettingsApplied()
  /// Whether all that was ordered at the start was tried.
  private(set) var isSettled = false
  private(set) var isAnswered = false
  /// A command under way, or just done, has the board leave.
  var isLeaving = false
  var isGatewayStopping = false
  private var lastTold = Duration.zero
  private var nextSchedule = Duration.zero
  var nextBattery: Timestamp?
  var isBatteryQueued = false
  var isEndOfLeftOversQueued = false
  /// Whether the board was brought to its program once.
  var isProgramApplied = false
  /// Whether the board was asked what runs on it for others.
  var hasLookedForOthers = false
  /// Streams whose poll waits for its turn: one of each at a time.
  var queuedPolls: Set<StreamKey> = []

  /// How often the supervisor hears that packets come.
  static let sightingPeriod = Duration.seconds(10)
  /// How often schedules are looked at.
  private static let schedulePeriod = Duration.seconds(1)
  init(
    link: any BoardLink, executor: any SerialExecutor, orders: SessionOrders, environment: SessionEnvironment
  ) {
    board = link.board
    self.link = link
    self.executor = executor
    self.orders = orders
    self.environment = environment
    conversation = Conversation(link: link, timekeeper: environment.timekeeper)
    driver = environment.family.makeDriver(conversation)
    nonisolated(unsafe) let shared = environment.heartbeat.intake
    intake = PacketIntake(
      board: board, conversation: conversation, driver: driver, counters: environment.counters,
      timekeeper: environment.timekeeper, shared: shared)
    intake.ends = orders.ends
    conversation.wasHeldUp = { shared.wasHeldUp(since: $0) }
    random = SeededGenerator(seed: environment.seed)
  }

  var uptime: Duration { environment.timekeeper.uptime }
  var now: Timestamp { environment.timekeeper.now }

  /// Where the streams ended, after `run`.
  var ends: StreamEnds { intake.ends }

  /// Lives until the link ends. Returns why it ended and whether the board ever answered.
  func run() async -> SessionEnd {
    // The link lets go of both when it ends; a weak reference would be looked up for every packet.
    await link.open(
      received: { characteristic, packet, arrival in
        // Checked in debug builds only: to enter the actor costs as much as the packet.
        self.assertIsolated()
        switch self.intake.receive(packet, from: characteristic, at: arrival) {
        case .none: break
        case .leftOvers: self.assumeIsolated { $0.queueEndOfLeftOvers() }
        case .proved: self.assumeIsolated { $0.newsAlarm.ring() }
        case .unreadable: self.assumeIsolated { $0.endUnreadable() }
        }
      },
      ended: { failure in self.assumeIsolated { $0.ended(failure) } })
    await environment.heartbeat.join(self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.tellNews() }
      await converse()
      group.cancelAll()
    }
    await environment.heartbeat.leave(self)
    await link.disconnect()
    if end == nil { ended(LinkFailure(.closed, "the session was closed")) }
    for unit in work { unit.abandon(because: end) }
    work.removeAll()
    intake.flush()
    intake.breakOff(isForGood: end?.reason == .closed && !isGatewayStopping)
    await environment.deliver(environment.heartbeat.intake.takeFinished(at: uptime))
    noteLastPacket()
    await handOutNews()
    return SessionEnd(
      failure: end ?? LinkFailure(.closed, "the session was closed"), wasAnswered: isAnswered,
      isOrdered: isLeaving)
  }

  /// Ends the session from our side; `run` returns soon after.
  func close() { ended(LinkFailure(.closed, "the gateway ended the link")) }

  /// Ends the session because talking to the board has become pointless.
  func fail(because failure: LinkFailure) { ended(failure) }

  private func endUnreadable() {
    ended(LinkFailure(.silent, MalformedPackets.reason))
  }

  private func ended(_ failure: LinkFailure) {
    guard end == nil else { return }
    end = failure
    conversation.end(because: failure)
    intake.expireWaits(at: nil)
    workAlarm.ring()
  }

  // Conversation with the board: one thing at a time.

  private func converse() async {
    do throws(ProtocolFailure) {
      try await interview()
      if orders.relaxesLink { try await driver.relaxLink() }
      try await takeStockOfLog()
      await applyStreams()
      await meetOthersLoggers()
      await rescueLog()
      if end == nil { await applyProgram() }
      await tendLog()
      if end == nil { await applyPins() }
      if end == nil { await applySettings() }
      isSettled = true
      if end == nil { await environment.report(.settled) }
      if orders.wantsSurvey { enqueue(.survey) }
      await proveLifeIfDoubtful()
    } catch {
      return ended(Self.linkFailure(error))
    }
    while end == nil, !Task.isCancelled {
      guard let unit = work.isEmpty ? agenda.next().map(SessionWork.agenda) : work.removeFirst() else {
        await workAlarm.sleep(atMost: nil, by: environment.timekeeper)
        continue
      }
      await unit.run(in: self)
      await proveLifeIfDoubtful()
    }
  }

  /// Some firmware leaves some questions unanswered. A board that leaves all of them is not there any more, whatever
  /// the system says (fault F28).
  private func proveLifeIfDoubtful() async {
    guard conversation.takeSilence(), end == nil else { return }
    do throws(ProtocolFailure) { try await driver.proveLife() } catch { ended(Self.linkFailure(error)) }
  }

  private func interview() async throws(ProtocolFailure) {
    for characteristic in environment.family.notifications {
      do throws(LinkFailure) { try await link.subscribe(to: characteristic) } catch {
        throw .linkEnded(error)
      }
    }
    let interview = try await driver.interview(remembering: orders.driverMemory)
    isAnswered = true
    orders.driverMemory = interview.memory
    let hasRebooted = orders.boots.observe(
      resetID: interview.resetID, bootTime: interview.bootTime, at: now)
    if hasRebooted {
      orders.knownSettings = SettingsDeclaration()
      orders.wantsSurvey = !orders.isLinkRelaxed
    }
    driver.recall(streams: hasRebooted ? [] : orders.earlier)
    driver.recall(
      program: orders.programMemory.bytes, isReset: orders.programMemory.boot != orders.boots.count)
    await environment.report(.interviewed(interview, orders.boots, hasRebooted: hasRebooted))
  }

  static func linkFailure(_ failure: ProtocolFailure) -> LinkFailure {
    switch failure {
    case .linkEnded(let link): link
    case .silent(let question, let limit):
      LinkFailure(.silent, "no answer to \(question) within \(DurationText.format(limit))")
    case .unexpected(let what): LinkFailure(.silent, "the board answered something unexpected: \(what)")
    case .unknownModel(let model): LinkFailure(.notPermitted, "the board is of an unknown model: \(model)")
    }
  }

  /// Queues something for the board.
  func enqueue(_ unit: SessionWork) {
    guard end == nil else { return unit.abandon(because: end) }
    work.append(unit)
    workAlarm.ring()
  }

  /// Says what the contact is for; commands go before all of it.
  func order(_ agenda: VisitAgenda) {
    self.agenda.add(agenda)
    workAlarm.ring()
  }

  // The heartbeat.

  /// Looks after time-outs, polls, schedules and silence. `inTime`: after a stall of ours, packets may still wait to be
  /// read.
  func beat(at uptime: Duration, inTime: Bool) {
    guard end == nil else { return }
    conversation.expire(at: uptime)
    intake.expireWaits(at: uptime)
    queuePolls(at: uptime)
    if inTime { watchForSilence(at: uptime) }
    if uptime >= nextSchedule {
      nextSchedule = uptime + Self.schedulePeriod
      queueBattery()
      queueClock()
    }
    if intake.hasReports || uptime - lastTold >= Self.sightingPeriod { noteLastPacket() }
    if intake.hasReports { newsAlarm.ring() }
  }

  private func noteLastPacket() {
    guard let lastPacket = intake.lastPacket else { return }
    lastTold = uptime
    intake.note(.packet(at: lastPacket))
  }

  /// Tells the supervisor what there is to tell, until the session's end.
  private func tellNews() async {
    while !Task.isCancelled {
      await newsAlarm.sleep(atMost: nil, by: environment.timekeeper)
      await handOutNews()
    }
    // Whoever waits for something waits for a session that works.
    ended(LinkFailure(.closed, "the session was stopped"))
  }

  func handOutNews() async {
    for report in intake.takeReports() { await environment.report(report) }
  }
}
