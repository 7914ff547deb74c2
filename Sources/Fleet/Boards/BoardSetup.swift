import BoardKit
import FleetModel

/// What is wanted of a board, and what is known to be on it (MQTT contract 1.5). Pure: what has to happen because of a change
/// is returned.
struct BoardSetup: Sendable {
  private(set) var desired: DesiredBoard { didSet { workOut() } }
  private(set) var overlay: SetupOverlay { didSet { workOut() } }
  /// The profile that a verb chose.
  private(set) var choice: ProfileChoice?
  /// Whether the board has to show that it is like new before it logs again.
  var isProvingFactoryReset = false { didSet { workOut() } }
  /// What all this comes to, worked out once for each change.
  private(set) var wishes: BoardWishes

  /// What the board is known to hold.
  private(set) var held: HeldSetup
  /// What it held when that was last told.
  private var told: HeldSetup
  /// What had to be written again although the board was not reset.
  private var drifted: Set<SetupKey> = []
  /// Pins that could not be set up, and why.
  private(set) var refusedPins: [UInt8: CommandFailure] = [:]
  /// The driver's record of what of the program is on the board.
  private(set) var program: ProgramRecord
  private(set) var slots = SlotSurvey()

  /// Since when the session has tried all that was ordered, by uptime; nil while it has not.
  private(set) var settledSince: Duration?
  /// Commands that change the setup right now.
  private(set) var changesUnderWay = 0
  private var document: Document

  /// The retained document.
  private struct Document: Sendable {
    var last: ConfigurationReport?
    /// Whether it may have to say something else by now.
    var isDue = true
    /// When the board was last brought to something else.
    var applied: Timestamp?
  }

  init(_ desired: DesiredBoard, _ kept: RememberedSetup = RememberedSetup()) {
    self.desired = desired
    (overlay, choice, program) = (kept.overlay, kept.choice, kept.program)
    (held, told) = (kept.held, kept.held)
    wishes = BoardWishes(desired.profile, kept.overlay)
    document = Document(applied: kept.applied)
  }

  private mutating func workOut() {
    wishes = BoardWishes(desired.profile, overlay, logsNothing: isProvingFactoryReset)
  }

  // What is wanted.

  /// Takes what the gateway wants by now. Returns whether that ended the choice of a profile.
  mutating func change(to desired: DesiredBoard) -> Bool {
    self.desired = desired
    guard let choice, choice.name != desired.profileName else { return false }
    self.choice = nil
    return true
  }

  /// Takes note of a command that the board has done.
  mutating func note(_ intent: LinkIntent, at now: Timestamp) -> [BoardEffect] {
    if case .device(.pin(let command)) = intent { refusedPins[command.pin] = nil }
    let parts = overlay.note(intent, over: desired.profile, wishes, at: now)
    return (parts.isEmpty ? [] : [.order(parts)]) + [.remember]
  }

  /// A verb chose a profile.
  mutating func choose(profile name: String) {
    overlay.profileChosen()
    choice = ProfileChoice(name, insteadOf: desired.configuredProfile)
  }

  /// The board was made like new; nothing of ours is on it.
  mutating func factoryReset() {
    overlay.factoryReset()
    program = ProgramRecord()
  }

  /// The macros of the board are gone.
  mutating func macrosErased() { overlay.settings.macrosErased() }

  /// Ends what verbs wanted until now. Returns whether anything did.
  mutating func expire(at now: Timestamp) -> Bool { overlay.streams.expire(at: now) }

  /// Everything that is wanted, as documents say it.
  var wantedSetup: SetupDeclaration {
    let chains = wishes.program.ownStreams(in: wishes.streams)
    // What a chain yields is told with the chain.
    let logged = wishes.program.program.logs
    return SetupDeclaration(
      streams: wishes.streams.filter { !chains.contains($0.key) },
      logs: wishes.logs.filter { logged[$0.key] != $0.value }, program: wishes.program,
      settings: wishes.settings)
  }

  /// Whether the board should be told something that it was not told yet, and could have.
  var isOwed: Bool { held.owes(wantedSetup) }

  /// Settings that the board was told since its last reset.
  var knownSettings: SettingsDeclaration {
    var known = wishes.settings
    let wanted = SetupDeclaration(streams: [:], settings: known)
    for key in known.keys.keys where !held.holds(SetupKey(.settings, key), as: wanted) { known.withdraw(key) }
    return known
  }

  var isLogCircular: Bool { overlay.logs.isCircular ?? desired.profile.isLogCircular }

  /// As kept on disk. `logs` is what is kept of the log besides.
  func remembered(with logs: LogMemory) -> RememberedSetup {
    RememberedSetup(
      overlay: overlay, held: held, applied: document.applied, choice: choice, program: program, logs: logs)
  }

  // What a session tells of it.

  /// All that is wanted was ordered, or the link is another; what was told of it may have to be told anew.
  mutating func ordered() {
    settledSince = nil
    document.isDue = true
  }

  mutating func take(
    streams wanted: [String: StreamRequest], running: [StreamRequest], _ standing: SampleStanding,
    refused: [String: CommandFailure]
  ) {
    let running = Dictionary(running.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    held.take(
      [.stream], wanted: SetupDeclaration(streams: wanted), effective: SetupDeclaration(streams: running),
      refused: Dictionary(uniqueKeysWithValues: refused.map { (SetupKey(.stream, $0.key), $0.value) }))
    take(standing)
  }

  /// How far the streams are proved; that is no change of what was ordered.
  mutating func take(_ standing: SampleStanding) {
    let wasTold = held == told
    held.take(standing)
    if wasTold { told = held }
    document.isDue = true
  }

  mutating func take(program wanted: ProgramDeclarations, _ applied: ProgramApplied) {
    let setup = SetupDeclaration(streams: [:], program: wanted)
    noteDrift(applied.differences.compactMap { SetupKey(words: $0) }, wanted: setup)
    held.take(
      [.process, .timers, .events], wanted: setup, effective: setup,
      refused: Dictionary(uniqueKeysWithValues: applied.refused.map { (SetupKey($0.key), $0.value) }))
    document.isDue = true
  }

  mutating func take(settings wanted: SettingsDeclaration, _ applied: SettingsApplied) {
    let setup = SetupDeclaration(streams: [:], settings: wanted)
    noteDrift(applied.written.map { SetupKey(.settings, $0) }, wanted: setup)
    var effective = SetupDeclaration()
    for (name, value) in applied.held.members { effective[SetupKey(.settings, name)] = value }
    held.take(
      [.settings], wanted: setup, effective: effective,
      refused: Dictionary(
        uniqueKeysWithValues: applied.refused.map { (SetupKey(.settings, $0.key), $0.value) }),
      spared: Set(applied.spared.map { SetupKey(.settings, $0) }))
    document.isDue = true
  }

  /// `made` is what the board's loggers were made for, `logged` what they do.
  mutating func take(
    loggers made: [String: StreamRequest], _ logged: [LoggedStream], refused: [String: CommandFailure]
  ) {
    // What a chain has logged is told with the chain.
    let ofChains = wishes.program.program.logs
    let kept = made.filter { wishes.logs[$0.key] != nil && ofChains[$0.key] != $0.value }
    let effective = Dictionary(
      logged.map { ($0.name, StreamRequest(name: $0.name, configuration: $0.configuration)) },
      uniquingKeysWith: { first, _ in first })
    // What its loggers were made for is what they do, be it wanted otherwise by now.
    held.take(
      [.log], wanted: SetupDeclaration(streams: [:], logs: kept),
      effective: SetupDeclaration(streams: [:], logs: effective),
      refused: Dictionary(uniqueKeysWithValues: refused.map { (SetupKey(.log, $0.key), $0.value) }))
    document.isDue = true
  }

  mutating func take(refusedPins refused: [UInt8: CommandFailure]) { refusedPins = refused }

  /// The board was told to log: nil when it does, else what it says instead.
  mutating func logStarted(_ failure: CommandFailure?) {
    held.logStarted(failure)
    document.isDue = true
  }

  /// The board was seen to log, whatever it said before.
  mutating func seenLogging() {
    if held.logFailure != nil { logStarted(nil) }
  }

  mutating func take(_ survey: SlotSurvey) {
    slots = survey
    document.isDue = true
  }

  /// `own` are the slots that are ours by now.
  mutating func take(_ record: ProgramRecord, own: [String: Int]) {
    program = record
    slots.update(own: own)
    document.isDue = true
  }

  /// What we had brought about, and had to write again although the board was not reset.
  private mutating func noteDrift(_ written: [SetupKey], wanted: SetupDeclaration) {
    drifted.formUnion(written.filter { held.holds($0, as: wanted) })
  }

  /// The board was reset: what it was told is gone, but for what it does at every start.
  mutating func boardReset() -> [BoardEffect] {
    held.boardReset()
    told = held
    slots = SlotSurvey()
    overlay.settings.boardReset()
    settledSince = nil
    document.isDue = true
    return [.remember, .order([.settings])]
  }

  /// All that was ordered was tried, `uptime`: what became of it is told.
  mutating func settled(at now: Timestamp, uptime: Duration) -> [BoardEffect] {
    settledSince = uptime
    let found = drifted.sorted().map { "\($0.words) changed" }
    let changes = Array(Set(held.changes(since: told) + found)).sorted()
    let isNewlyRefused = held.isRefusedOtherwise(than: told) && !held.refused.isEmpty
    let isNews = held != told || !changes.isEmpty
    told = held
    drifted = []
    document.isDue = true
    if !changes.isEmpty { document.applied = now }
    var effects: [BoardEffect] = isNews ? [.remember] : []
    if !found.isEmpty { effects.append(.tell(Self.news("drifted", found))) }
    if !changes.isEmpty { effects.append(.tell(Self.news("applied", changes))) }
    if isNewlyRefused {
      let differences = held.differences(from: wantedSetup, countingAwaited: false)
      effects.append(.tell(Self.news("failed", differences, reason: held.error)))
    }
    return effects
  }

  private static func news(_ type: String, _ differences: [String], reason: StatedReason? = nil) -> BoardNews
  {
    var fields: JSONObject = ["differences": listed(differences)]
    fields["reason_code"] = reason.map { .string($0.code.rawValue) }
    return BoardNews(.config, type, fields: fields, message: reason?.sentence)
  }

  /// How many differences are told.
  private static let differencesTold = 20

  static func listed(_ differences: [String]) -> JSONValue {
    .array(differences.prefix(differencesTold).map { .string($0) })
  }

  // Commands.

  /// A command begins to change the setup; what a document says meanwhile would be neither here nor there.
  mutating func changeBegins() { changesUnderWay += 1 }

  mutating func changeEnds() {
    changesUnderWay -= 1
    if settledSince != nil { told = held }
    document.isDue = true
  }

  // The document.

  /// The document, when it is due and says something else than the last one. `isLinked`: a session looks after the board.
  mutating func dueReport(isLinked: Bool, at now: Timestamp, uptime: Duration) -> ConfigurationReport? {
    // Whoever changes it now says so when he is done.
    let isTried = !isLinked || settledSince != nil && proofDue(isLinked: isLinked, uptime: uptime) == nil
    guard document.isDue, changesUnderWay == 0, isTried else { return nil }
    document.isDue = false
    var report = ConfigurationReport(
      board: desired.board, changed: document.last?.changed ?? now, profile: desired.profileName,
      desired: wantedSetup, reported: held.reported, met: held.met,
      differences: Array(held.differences(from: wantedSetup).prefix(Self.differencesTold)),
      overlay: overlay.keys(overLogs: wishes.standingLogs))
    report.foreign = slots.foreign
    report.slotsUsed = slots.used
    report.applied = document.applied
    report.error = held.error
    guard report != document.last else { return nil }
    report.changed = now
    document.last = report
    return report
  }

  /// The document as it was last told.
  var lastReport: ConfigurationReport? { document.last }

  /// Until when nothing is said for want of the first samples; nil when they came, or did not in time.
  func proofDue(isLinked: Bool, uptime: Duration) -> Duration? {
    guard isLinked, !held.awaited.isEmpty, let settledSince, uptime < settledSince + SampleStanding.patience
    else { return nil }
    return settledSince + SampleStanding.patience
  }
}
