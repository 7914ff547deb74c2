import BoardKit
import FleetModel
import Logging
import Storage

/// Keeps one wanted board connected and doing what its profile says, for as long as it is wanted.
///
/// Every link gets a new session; what must outlive links is here, what must outlive the process is in the store.
actor BoardSupervisor {
  nonisolated let board: BoardID
  let environment: SupervisorEnvironment
  var desired: DesiredBoard { didSet { knownWishes = nil } }
  /// Which verbs are told to be taken.
  private(set) var permissions: CommandPermissions
  var overlay: StreamOverlay { didSet { knownWishes = nil } }
  var programOverlay: ProgramOverlay { didSet { knownWishes = nil } }
  var pinOverlay: PinOverlay
  var settingsOverlay: SettingsOverlay { didSet { knownWishes = nil } }
  /// What is kept of its log and of contacts.
  var logMemory: LogMemory { didSet { knownWishes = nil } }
  /// What all this comes to; nil when it has to be worked out anew.
  var knownWishes: BoardWishes?
  var contacts = ContactBook()
  private(set) var lastSignal: HeardSignal?
  var refusedLogs: [String: CommandFailure] = [:]
  var isDownloading = false
  /// Whether the store took no page of its log the last time.
  var isArchiveRefused = false
  /// How far times of what it logs can be off, milliseconds.
  var clockError: Double?
  /// The profile that a verb chose.
  var choice: ProfileChoice?
  /// What the board is known to hold.
  var held: HeldSetup
  /// The driver's record of what of the program is on the board.
  var programMemory: ProgramRecord
  var memory: BoardMemory
  var boots: BootRecord
  var description: BoardDescription?
  /// What the chains yielded that the board had last.
  var chains: [ChainStream] = []
  var interviewed: Timestamp?
  var random: SeededGenerator

  // The link.
  var machine = ConnectionMachine()
  var session: BoardSession?
  var isSessionReady = false
  /// Once per spell of flapping is enough.
  var hasRelaxedLink = false
  var radioTrouble: Availability.Reason?
  var isRetired = false
  /// Let go of until it is taken up again.
  var isReleased = false
  private var isStopping = false
  /// Nobody would wake a command that waits any more.
  private(set) var isOver = false
  private var isFinished = false
  private var finishWaiters: [CheckedContinuation<Void, Never>] = []
  let linkAlarm = Alarm()
  /// Rung to give up an attempt; a new one for each, since a sleeper's cancellation spends an alarm.
  var abortAlarm = Alarm()
  let dutyAlarm = Alarm()

  // What is told.
  var state: BoardState
  var facts: AvailabilityRule.Facts
  var availability: Availability?
  var throttle = StateThrottle()
  var lastInfo: BoardInfo?
  var infoIsDue = false
  var advertisedName: String?
  var running: [String] = []
  var ends = StreamEnds()
  var streamTroubles: [StreamTrouble] = []
  var resetSinceLastLink = false
  var refusedStreams: [String: CommandFailure] = [:]
  var refusedProgram: [ProgramKey: CommandFailure] = [:]
  var refusedPins: [UInt8: CommandFailure] = [:]
  var refusedSettings: [String: CommandFailure] = [:]
  /// What the board held when that was last told.
  var settledSetup: HeldSetup
  /// What had to be written again although the board was not reset.
  var drifted: Set<SetupKey> = []
  /// Since when the session has tried all that was ordered, by uptime; nil while it has not.
  var settledSince: Duration?
  var isSettled: Bool { settledSince != nil }
  /// Commands that change the board's setup right now.
  var setupChanges = 0
  var slots = SlotSurvey()
  /// When the board was last brought to something else.
  var applied: Timestamp?
  var lastConfiguration: ConfigurationReport?
  var configurationIsDue = true
  var led: LEDState?
  var lastAppearance: LEDAppearance?
  var pressedSince: Timestamp?
  var sessions = RollingCount()
  var sessionFailures = RollingCount()
  var samplesLost = RollingCount()

  // Commands.
  var linkWaiters: [LinkWaiter] = []
  var turns = CommandTurns()
  var rebootWaiter: RebootWaiter?
  /// Whether a board has to show that it is like new before it logs again.
  var isProvingFactoryReset = false { didSet { knownWishes = nil } }
  var commandsWaiting = 0

  init(_ desired: DesiredBoard, memory: BoardMemory?, seed: UInt64, environment: SupervisorEnvironment) {
    board = desired.board
    self.desired = desired
    self.environment = environment
    permissions = environment.configuration.commands.permissions
    let memory = memory ?? BoardMemory(board: desired.board)
    self.memory = memory
    overlay = Remembered.overlay(memory)
    programOverlay = Remembered.program(memory)
    pinOverlay = Remembered.pins(memory)
    settingsOverlay = Remembered.settings(memory)
    logMemory = Remembered.logs(memory)
    choice = Remembered.choice(memory)
    held = Remembered.held(memory)
    settledSetup = held
    applied = Remembered.applied(memory)
    programMemory = Remembered.programMemory(memory)
    boots = BootRecord(count: memory.bootCount, resetID: memory.resetID, bootTime: memory.bootTime)
    advertisedName = memory.advertisedName
    ends = Remembered.ends(memory)
    led = Remembered.led(memory)
    lastAppearance = led?.appearance
    let remembered = Remembered.description(memory)
    description = (remembered?.description).map(environment.offers.sharing)
    interviewed = remembered?.interviewed
    random = SeededGenerator(seed: seed)
    state = BoardState(board: desired.board, link: .unseen, time: environment.timekeeper.now)
    facts = AvailabilityRule.Facts(watchedSince: environment.timekeeper.uptime)
    state.clock.boot = memory.resetID == nil ? nil : memory.bootCount
    state.firmware = description?.firmwareRevision
  }

  var now: Timestamp { environment.timekeeper.now }
  var uptime: Duration { environment.timekeeper.uptime }

  /// Looks after the board until it is retired or the task is cancelled.
  func run() async {
    contacts.isSetupPending = held.owes(wantedSetup)
    publishInfo()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.keepDuties() }
      await keepConnected()
      group.cancelAll()
    }
    isOver = true
    abandonWaiters()
    if isStopping {
      facts.isStopped = true
      await judgeAvailability()
    }
    isFinished = true
    for waiter in finishWaiters { waiter.resume() }
    finishWaiters.removeAll()
  }

  /// Returns once `run` is over.
  func finished() async {
    guard !isFinished else { return }
    await withCheckedContinuation { finishWaiters.append($0) }
  }

  // What the gateway tells.

  /// The board was heard.
  func sighted(_ sighting: Sighting, isBootloader: Bool) async {
    let (factsBefore, stateBefore) = (facts, machine.state)
    if let strength = sighting.rssi {
      state.rssi = strength
      lastSignal = HeardSignal(strength: strength, at: uptime)
    }
    state.contact.lastSeen = sighting.time
    facts.lastSeen = uptime
    facts.isBootloader = isBootloader
    facts.isAsleep = false
    if let name = sighting.name, name != advertisedName {
      advertisedName = name
      memory.advertisedName = name
      publishInfo()
    }
    if !isBootloader { machine.sighted(at: uptime) }
    if machine.state != stateBefore { linkAlarm.ring() }
    // Boards advertise all the time; only what was not known before is worth waking up for.
    let rule = AvailabilityRule(window: availabilityWindow)
    if machine.state != stateBefore || rule.isNews(facts, after: factsBefore, at: uptime) { dutyAlarm.ring() }
  }

  /// The system holds a link to the board that is not ours yet.
  func isThere() async {
    machine.sighted(at: uptime)
    if case .wanting = machine.state { linkAlarm.ring() }
  }

  /// The radio can or cannot be used.
  func radioChanged(_ trouble: Availability.Reason?, _ message: String) async {
    radioTrouble = trouble
    facts.radioTrouble = trouble
    if trouble == nil {
      machine.radioReturned(at: uptime)
    } else {
      machine.radioLost(LinkFailure(.serviceGone, message), at: uptime)
      await environment.airtime.withdraw(board)
    }
    linkAlarm.ring()
    dutyAlarm.ring()
  }

  /// What is wanted of the board changed.
  func change(to desired: DesiredBoard) async {
    self.desired = desired
    publishInfo()
    if let choice, choice.name != desired.profileName {
      self.choice = nil
      await rememberOverlay()
    }
    await order()
    if !desired.isEnabled {
      abortAlarm.ring()
      await environment.airtime.withdraw(board)
      await session?.close()
    }
    linkAlarm.ring()
    dutyAlarm.ring()
  }

  /// Other verbs are allowed.
  func change(to permissions: CommandPermissions) {
    self.permissions = permissions
    publishInfo()
  }

  /// Lets go of the board: `isStopping` when the gateway stops, otherwise because it is no longer wanted.
  func retire(isStopping: Bool) async {
    isRetired = true
    self.isStopping = isStopping
    abortAlarm.ring()
    await environment.airtime.withdraw(board)
    await session?.closeSoftly(within: Self.softEnd, isGatewayStopping: isStopping)
    linkAlarm.ring()
  }

  /// How long a download may take to come to a safe point when we stop, of the 20 s that a stop may take.
  private static let softEnd = Duration.seconds(8)

  /// Keeps the board apart until then.
  func hold(until: Duration) {
    machine.hold(until: until)
    linkAlarm.ring()
  }
}
