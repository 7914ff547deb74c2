import BoardKit
import FleetModel
import Logging
import Storage

/// Keeps one wanted board connected and doing what its profile says, for as long as it is wanted.
///
/// Two loops: one holds the link, the other does what is due; each waits, takes note of what happened in the values
/// below and does what follows. Every link gets a new session; what must outlive the process is in the store.
actor BoardSupervisor {
  nonisolated let board: BoardID
  private(set) var environment: SupervisorEnvironment
  /// What is wanted of the board, and what is known to be on it.
  var setup: BoardSetup
  /// How the board is, as it is published.
  var status: BoardStatus
  /// What is kept of its log and of contacts, and when the next one is due.
  var log: StoredLogState
  var contacts = ContactSchedule()
  var link: BoardLinkState
  var commands = CommandQueue()
  var boots: BootRecord
  /// What the store has of the board.
  var memory: BoardMemory
  /// Its way through its bootloader; nil of a board that is to be with its application.
  var update: BoardUpdate?
  private var random: SeededGenerator
  private var life = SupervisorLife()
  let connectionWaker = TaskWaker()
  let dueWorkWaker = TaskWaker()

  init(_ desired: DesiredBoard, memory: BoardMemory?, seed: UInt64, environment: SupervisorEnvironment) {
    board = desired.board
    self.environment = environment
    let memory = memory ?? BoardMemory(board: desired.board)
    self.memory = memory
    let kept = StoredSetup(memory.overlay)
    setup = BoardSetup(desired, kept)
    log = kept.logs
    boots = BootRecord(count: memory.bootCount, resetID: memory.resetID, bootTime: memory.bootTime)
    link = BoardLinkState(ends: BoardMemoryCoding.ends(memory))
    let interview = BoardMemoryCoding.description(memory)
    status = BoardStatus(
      board: desired.board,
      identity: BoardIdentity(
        family: environment.family.name, permissions: environment.configuration.commands.permissions,
        advertisedName: memory.advertisedName,
        description: (interview?.description).map(environment.offers.sharing),
        interviewed: interview?.interviewed, earlier: interview?.earlier),
      led: BoardMemoryCoding.led(memory), boot: memory.resetID == nil ? nil : memory.bootCount,
      at: environment.timekeeper.now, uptime: environment.timekeeper.uptime, firmware: interview?.firmware)
    status.state.orders.maintenance = kept.maintenance
    random = SeededGenerator(seed: seed)
  }

  var now: Timestamp { environment.timekeeper.now }
  var uptime: Duration { environment.timekeeper.uptime }
  var state: BoardState { status.state }
  var desiredSetup: DesiredSetup { setup.desiredSetup }
  var isRetired: Bool { life.isRetired }
  /// Why it takes no commands any more; nil while it does.
  var retirement: CommandFailure? { life.retirement }

  /// Looks after the board until it is retired or the task is cancelled.
  func run() async {
    contacts.isSetupPending = setup.hasPendingChanges
    await UpdateEffects.recall(by: self)
    publishInfo()
    await FirmwareNotice.publish(by: self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await DueWorkLoop.run(for: self) }
      await ConnectionLoop.run(for: self)
      group.cancelAll()
    }
    commands.close()
    if life.isStopping {
      status.facts.isStopped = true
      await DueWorkLoop.publishLast(self)
    }
    life.isFinished = true
    for waiter in life.waiters { waiter.finish() }
    life.waiters = []
  }

  /// Returns once `run` is over, or when the caller is cancelled.
  func finished() async {
    guard !life.isFinished else { return }
    let (end, waiter) = AsyncStream.makeStream(of: Void.self)
    life.waiters.append(waiter)
    for await _ in end {}
  }

  // What the gateway tells.

  /// The board was heard.
  func advertised(_ report: AdvertisementReport, isBootloader: Bool) async {
    let (factsBefore, stateBefore) = (status.facts, link.machine.state)
    status.advertised(report, isBootloader: isBootloader, uptime: uptime)
    status.state.rssi = link.advertised(report, at: uptime)
    if let name = report.name, name != memory.advertisedName, PrintableText.isVisible(name) {
      memory.advertisedName = name
      status.identity.advertisedName = name
      publishInfo()
    }
    if isBootloader {
      _ = UpdateEffects.heard(at: board, by: self)
    } else {
      link.machine.advertised(at: uptime)
    }
    let hasMoved = link.machine.state != stateBefore
    if hasMoved { connectionWaker.wake() }
    // Boards advertise all the time; only what was not known before is worth waking up for.
    let rule = AvailabilityRule(window: availabilityWindow)
    if hasMoved || rule.isChange(status.facts, after: factsBefore, at: uptime) { dueWorkWaker.wake() }
  }

  /// The system holds a link to the board that is not ours yet.
  func isConnectedOutside() async {
    link.machine.advertised(at: uptime)
    if case .waitingForSlot = link.machine.state { connectionWaker.wake() }
  }

  /// The radio can or cannot be used.
  func radioChanged(_ trouble: Availability.Reason?, _ message: String) async {
    status.facts.radioTrouble = trouble
    if trouble == nil {
      link.machine.radioReturned(at: uptime)
    } else {
      link.machine.radioLost(LinkFailure(trouble?.lostRadio ?? .serviceGone, message), at: uptime)
      await environment.scheduler.withdraw(board)
    }
    wake()
  }

  /// What is wanted of the board changed.
  func change(to desired: DesiredBoard) async {
    let before = setup.desired
    let endsChoice = setup.change(to: desired)
    publishInfo()
    if endsChoice { await remember() }
    // A name, a group or a label says nothing to the board: no contact for it, nothing written.
    if desired.profile != before.profile || desired.profileName != before.profileName { await order() }
    // A link over an adapter that the board may not use ends, and whoever waits for one waits for the right one.
    if !desired.isEnabled || desired.adapter != before.adapter {
      link.abort.wake()
      await environment.scheduler.withdraw(board)
      if !desired.isEnabled || link.isElsewhere(than: desired.adapter) {
        await link.session?.close(isUnwanted: !desired.isEnabled)
      }
    }
    wake()
  }

  /// Takes over what a new configuration says of all boards.
  func change(to configuration: FleetConfiguration) async {
    environment.configuration = configuration
    status.identity.permissions = configuration.commands.permissions
    publishInfo()
    await link.session?.change(to: configuration)
    wake()
  }

  /// Lets go of the board: `isStopping` when the gateway stops, otherwise because it is no longer wanted.
  func retire(isStopping: Bool) async {
    (life.isRetired, life.isStopping) = (true, isStopping)
    link.abort.wake()
    await environment.scheduler.withdraw(board)
    await link.session?.closeGracefully(within: Self.shutdownGracePeriod, isUnwanted: !isStopping)
    connectionWaker.wake()
  }

  /// Keeps the board apart until then.
  func suspend(until: Duration) {
    link.machine.suspend(until: until)
    connectionWaker.wake()
  }

  /// How long a download may take to come to a safe point when we stop, of the 20 s that a stop may take.
  private static let shutdownGracePeriod = Duration.seconds(8)

  /// The gateway itself had to drop samples of the board, which it tells by itself.
  func dropped(_ samples: Int) {
    status.lost(samples, at: uptime)
    dueWorkWaker.wake()
  }

  /// Has both loops look at what happened.
  func wake() {
    connectionWaker.wake()
    dueWorkWaker.wake()
  }

  // What follows.

  /// Does what follows from a change of the values.
  func carryOut(_ effects: [BoardEffect]) async {
    for effect in effects {
      switch effect {
      case .remember: await remember()
      case .publish(let draft): await publish(draft)
      case .order(let parts): for part in parts.sorted() { await part.order(from: self) }
      }
    }
  }

  /// Tells the session, if there is one, all that is wanted by now; without one a contact is wanted for it.
  func order() async {
    setup.ordered()
    guard let session = link.session else {
      contacts.isSetupPending = true
      return wake()
    }
    await carryOut([.order(Set(SetupPart.allCases))])
    await session.enqueue(.ordersApplied(nil))
  }

  /// Publishes an event of this board, and what it notes of sessions of streams.
  func publish(_ draft: EventDraft, with marks: [StreamCheckpoint] = []) async {
    let event = EventMessage(
      draft.kind, draft.type, of: .board(board), fields: status.marked(draft.fields), message: draft.message,
      at: draft.time ?? now, using: &random)
    await environment.deliver([.happened(event)] + marks.map { .stream($0) })
  }

  /// Publishes the LED's state and remembers it.
  func show(_ new: LEDState) async {
    guard status.show(new) else { return }
    memory.led = BoardMemoryCoding.bytes(new)
    await remember()
    await environment.deliver([.led(board, new)])
    dueWorkWaker.wake()
  }

  /// Publishes the identity when it changed.
  func publishInfo() {
    if status.identity.update(for: setup.desired, at: now) { dueWorkWaker.wake() }
  }

  /// Publishes the availability when it changed. Returns when it may change by itself.
  @discardableResult
  func judgeAvailability() async -> Duration? {
    let (changed, before, next) = status.judgeAvailability(availabilityWindow, at: now, uptime: uptime)
    if let changed { await AvailabilityNotice.publish(changed, after: before, by: self) }
    return next
  }

  /// Keeps what must outlive the process.
  func remember() async {
    memory.overlay = setup.remembered(with: log, state.orders.maintenance).bytes
    do throws(StoreFailure) { try await environment.store.boards.save(memory) } catch {
      environment.log.error(
        "the state of a board cannot be stored", metadata: .board(self, ["reason": "\(error)"]))
    }
  }

  /// All retained documents as they are, for a broker that may have lost them.
  var retainedDocuments: [FleetEvent] {
    status.retainedDocuments + (setup.lastReport.map { [.configuration($0)] } ?? [])
  }

  func nextRandom() -> UInt64 { random.next() }
  func jitter() -> Double { random.fraction() }
}
