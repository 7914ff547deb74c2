import BoardKit
import FleetModel

/// What is wanted of a board and what it is known to have applied (MQTT contract 1.5). Pure: what has to happen because
/// of a change is returned.
struct BoardSetup: Sendable {
  private(set) var desired: DesiredBoard { didSet { workOut() } }
  private(set) var overlay: SetupOverlay { didSet { workOut() } }
  /// The profile that a verb chose.
  private(set) var choice: ProfileChoice?
  /// Whether the board has to show that it is like new before it logs again.
  var isProvingFactoryReset = false { didSet { workOut() } }
  /// What all this comes to, worked out once for each change.
  private(set) var desiredSetup: DesiredSetup

  /// What the board is known to have applied.
  private(set) var reportedSetup: ReportedSetup
  /// What of it was last published.
  private var publishedSetup: ReportedSetup
  /// What had to be written again although the board was not reset.
  private var drifted: Set<SetupKey> = []
  /// Pins that could not be set up, and why.
  private(set) var refusedPins: [UInt8: CommandFailure] = [:]
  /// The driver's record of what of the program is on the board.
  private(set) var program: ProgramRecord
  private(set) var slots = SlotUsage()

  /// Since when the session has tried all that was ordered, by uptime; nil while it has not.
  private(set) var appliedSince: Duration?
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

  init(_ desired: DesiredBoard, _ kept: StoredSetup = StoredSetup()) {
    self.desired = desired
    (overlay, choice, program) = (kept.overlay, kept.choice, kept.program)
    (reportedSetup, publishedSetup) = (kept.reportedSetup, kept.reportedSetup)
    desiredSetup = DesiredSetup(desired.profile, kept.overlay)
    document = Document(applied: kept.applied)
  }

  private mutating func workOut() {
    desiredSetup = DesiredSetup(desired.profile, overlay, logsNothing: isProvingFactoryReset)
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
    let parts = overlay.note(intent, over: desired.profile, desiredSetup, at: now)
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
    let chains = desiredSetup.program.ownStreams(in: desiredSetup.streams)
    // What a chain yields is reported with the chain.
    let logged = desiredSetup.program.program.logs
    return SetupDeclaration(
      streams: desiredSetup.streams.filter { !chains.contains($0.key) },
      logs: desiredSetup.logs.filter { logged[$0.key] != $0.value }, program: desiredSetup.program,
      settings: desiredSetup.settings)
  }

  /// Whether something is desired that the board has not applied yet, and could.
  var hasPendingChanges: Bool { reportedSetup.hasPendingChanges(wantedSetup) }

  /// Settings that were written since the last reset of the board.
  var knownSettings: SettingsDeclaration {
    var known = desiredSetup.settings
    let wanted = SetupDeclaration(streams: [:], settings: known)
    for key in known.keys.keys where !reportedSetup.holds(SetupKey(.settings, key), as: wanted) {
      known.withdraw(key)
    }
    return known
  }

  var isLogCircular: Bool { overlay.logs.isCircular ?? desired.profile.isLogCircular }

  /// As kept on disk. `logs` is what is kept of the log besides, `maintenance` what was ordered.
  func remembered(with logs: StoredLogState, _ maintenance: Maintenance? = nil) -> StoredSetup {
    StoredSetup(
      overlay: overlay, reportedSetup: reportedSetup, applied: document.applied, choice: choice,
      program: program, logs: logs, maintenance: maintenance)
  }

  // What a session reports of it.

  /// All that is wanted was ordered, or the link is another; what was reported of it may have to be reported anew.
  mutating func ordered() {
    appliedSince = nil
    document.isDue = true
  }

  mutating func take(
    streams wanted: [String: StreamRequest], running: [StreamRequest], _ verification: StreamVerification,
    refused: [String: CommandFailure]
  ) {
    let running = Dictionary(running.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    reportedSetup.take(
      [.stream], wanted: SetupDeclaration(streams: wanted), effective: SetupDeclaration(streams: running),
      refused: Dictionary(uniqueKeysWithValues: refused.map { (SetupKey(.stream, $0.key), $0.value) }))
    take(verification)
  }

  /// How far the streams are proved; that is no change of what was ordered.
  mutating func take(_ verification: StreamVerification) {
    let wasPublished = reportedSetup == publishedSetup
    reportedSetup.take(verification)
    if wasPublished { publishedSetup = reportedSetup }
    document.isDue = true
  }

  mutating func take(program wanted: ProgramDeclarations, _ applied: ProgramApplied) {
    let setup = SetupDeclaration(streams: [:], program: wanted)
    noteDrift(applied.differences.compactMap { SetupKey(text: $0) }, wanted: setup)
    reportedSetup.take(
      [.process, .timers, .events], wanted: setup, effective: setup,
      refused: Dictionary(uniqueKeysWithValues: applied.refused.map { (SetupKey($0.key), $0.value) }))
    document.isDue = true
  }

  mutating func take(settings wanted: SettingsDeclaration, _ applied: SettingsApplied) {
    let setup = SetupDeclaration(streams: [:], settings: wanted)
    noteDrift(applied.written.map { SetupKey(.settings, $0) }, wanted: setup)
    var effective = SetupDeclaration()
    for (name, value) in applied.effective.members { effective[SetupKey(.settings, name)] = value }
    reportedSetup.take(
      [.settings], wanted: setup, effective: effective,
      refused: Dictionary(
        uniqueKeysWithValues: applied.refused.map { (SetupKey(.settings, $0.key), $0.value) }),
      exempt: Set(applied.exempt.map { SetupKey(.settings, $0) }))
    document.isDue = true
  }

  /// `made` is what the board's loggers were made for, `logged` what they do.
  mutating func take(
    loggers made: [String: StreamRequest], _ logged: [LoggedStream], refused: [String: CommandFailure]
  ) {
    // What a chain has logged is reported with the chain.
    let ofChains = desiredSetup.program.program.logs
    let kept = made.filter { desiredSetup.logs[$0.key] != nil && ofChains[$0.key] != $0.value }
    let effective = Dictionary(
      logged.map { ($0.name, StreamRequest(name: $0.name, configuration: $0.configuration)) },
      uniquingKeysWith: { first, _ in first })
    // What its loggers were made for is what they do, be it wanted otherwise by now.
    reportedSetup.take(
      [.log], wanted: SetupDeclaration(streams: [:], logs: kept),
      effective: SetupDeclaration(streams: [:], logs: effective),
      refused: Dictionary(uniqueKeysWithValues: refused.map { (SetupKey(.log, $0.key), $0.value) }))
    document.isDue = true
  }

  mutating func take(refusedPins refused: [UInt8: CommandFailure]) { refusedPins = refused }

  /// Logging was ordered: nil when the board logs, else why it does not.
  mutating func logStarted(_ failure: CommandFailure?) {
    reportedSetup.logStarted(failure)
    document.isDue = true
  }

  /// The board was seen to log, whatever it said before.
  mutating func seenLogging() {
    if reportedSetup.logFailure != nil { logStarted(nil) }
  }

  mutating func take(_ survey: SlotUsage) {
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
    drifted.formUnion(written.filter { reportedSetup.holds($0, as: wanted) })
  }

  /// The board was reset: what was written is gone, but for what it does at every start.
  mutating func boardReset() -> [BoardEffect] {
    reportedSetup.boardReset()
    publishedSetup = reportedSetup
    slots = SlotUsage()
    overlay.settings.boardReset()
    appliedSince = nil
    document.isDue = true
    return [.remember, .order([.settings])]
  }

  /// All that was ordered was tried, `uptime`: what became of it is published.
  mutating func ordersApplied(at now: Timestamp, uptime: Duration) -> [BoardEffect] {
    appliedSince = uptime
    let found = drifted.sorted().map { "\($0.text) changed" }
    let changes = Array(Set(reportedSetup.changes(since: publishedSetup) + found)).sorted()
    let isNewlyRefused =
      reportedSetup.isRefusedOtherwise(than: publishedSetup) && !reportedSetup.refused.isEmpty
    let isChanged = reportedSetup != publishedSetup || !changes.isEmpty
    publishedSetup = reportedSetup
    drifted = []
    document.isDue = true
    if !changes.isEmpty { document.applied = now }
    var effects: [BoardEffect] = isChanged ? [.remember] : []
    if !found.isEmpty { effects.append(.publish(Self.draft("drifted", found))) }
    if !changes.isEmpty { effects.append(.publish(Self.draft("applied", changes))) }
    if isNewlyRefused {
      let differences = reportedSetup.differences(from: wantedSetup, countingAwaited: false)
      effects.append(.publish(Self.draft("failed", differences, reason: reportedSetup.error)))
    }
    return effects
  }

  private static func draft(_ type: String, _ differences: [String], reason: StatedReason? = nil)
    -> EventDraft
  {
    var fields: JSONObject = ["differences": listed(differences)]
    fields["reason_code"] = reason.map { .string($0.code.rawValue) }
    return EventDraft(.config, type, fields: fields, message: reason?.sentence)
  }

  /// How many differences are published.
  private static let reportedDifferences = 20

  static func listed(_ differences: [String]) -> JSONValue {
    .array(differences.prefix(reportedDifferences).map { .string($0) })
  }

  // Commands.

  /// A command begins to change the setup; what a document says meanwhile would be neither here nor there.
  mutating func changeBegins() { changesUnderWay += 1 }

  mutating func changeEnds() {
    changesUnderWay -= 1
    if appliedSince != nil { publishedSetup = reportedSetup }
    document.isDue = true
  }

  // The document.

  /// The document, when it is due and says something else than the last one. `isLinked`: a session looks after the
  /// board.
  mutating func dueReport(isLinked: Bool, at now: Timestamp, uptime: Duration) -> ConfigurationReport? {
    // A command that changes it now reports when it is done.
    let isTried = !isLinked || appliedSince != nil && proofDue(isLinked: isLinked, uptime: uptime) == nil
    guard document.isDue, changesUnderWay == 0, isTried else { return nil }
    document.isDue = false
    var report = ConfigurationReport(
      board: desired.board, changed: document.last?.changed ?? now, profile: desired.profileName,
      desired: wantedSetup, reported: reportedSetup.reported, met: reportedSetup.met,
      differences: Array(reportedSetup.differences(from: wantedSetup).prefix(Self.reportedDifferences)),
      overlay: overlay.keys(overLogs: desiredSetup.baseLogs))
    report.foreign = slots.foreign
    report.slotsUsed = slots.used
    report.applied = document.applied
    report.error = reportedSetup.error
    guard report != document.last else { return nil }
    report.changed = now
    document.last = report
    return report
  }

  /// The document as it was last published.
  var lastReport: ConfigurationReport? { document.last }

  /// Until when nothing is said for want of the first samples; nil when they came, or did not in time.
  func proofDue(isLinked: Bool, uptime: Duration) -> Duration? {
    guard isLinked, !reportedSetup.awaited.isEmpty, let appliedSince,
      uptime < appliedSince + StreamVerification.firstSampleTimeout
    else { return nil }
    return appliedSince + StreamVerification.firstSampleTimeout
  }
}
