import BoardKit
import FleetModel

/// What is wanted of a board, what it does of that, and the document and events that tell (MQTT contract 1.5).
extension BoardSupervisor {
  /// How many differences are told.
  private static let differencesTold = 20

  var wantedSetup: SetupDeclaration {
    let chains = wantedProgram.ownStreams(in: wantedStreams)
    // What a chain yields is told with the chain.
    let logged = wantedProgram.program.logs
    return SetupDeclaration(
      streams: wantedStreams.filter { !chains.contains($0.key) },
      logs: wantedLogs.filter { logged[$0.key] != $0.value }, program: wantedProgram,
      settings: wantedSettings)
  }

  /// Settings that the board was told since its last reset.
  var knownSettings: SettingsDeclaration {
    var known = wantedSettings
    let wanted = SetupDeclaration(streams: [:], settings: known)
    for key in known.keys.keys where !held.holds(SetupKey(.settings, key), as: wanted) { known.withdraw(key) }
    return known
  }

  /// Tells the session, if there is one, what is wanted by now.
  func order() async {
    configurationIsDue = true
    guard let session else {
      contacts.isSetupPending = true
      linkAlarm.ring()
      return dutyAlarm.ring()
    }
    settledSince = nil
    await orderStreams()
    await session.order(program: wantedProgram)
    await orderLogs()
    await session.order(settings: wantedSettings)
    await session.enqueue(.settled(nil))
  }

  func orderStreams() async {
    await session?.order(streams: wantedStreams, button: desired.profile.button)
  }

  // What a session tells.

  func took(
    streams wanted: [String: StreamRequest], _ active: [StreamRequest], _ standing: SampleStanding,
    _ failures: [String: CommandFailure]
  ) {
    let running = Dictionary(active.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    held.take(
      [.stream], wanted: SetupDeclaration(streams: wanted), effective: SetupDeclaration(streams: running),
      refused: Dictionary(
        uniqueKeysWithValues: failures.map { (SetupKey(.stream, $0.key), $0.value) }))
    took(standing)
  }

  /// How far the streams are proved; that is no change of what was ordered.
  func took(_ standing: SampleStanding) {
    let wasSettled = held == settledSetup
    held.take(standing)
    streamTroubles = standing.troubles
    if wasSettled { settledSetup = held }
    configurationIsDue = true
  }

  func took(program wanted: ProgramDeclarations, _ applied: ProgramApplied) {
    let setup = SetupDeclaration(streams: [:], program: wanted)
    noteDrift(applied.differences.compactMap { SetupKey(words: $0) }, wanted: setup)
    held.take(
      [.process, .timers, .events], wanted: setup, effective: setup,
      refused: Dictionary(uniqueKeysWithValues: applied.refused.map { (SetupKey($0.key), $0.value) }))
    configurationIsDue = true
  }

  func took(settings wanted: SettingsDeclaration, _ applied: SettingsApplied) {
    let setup = SetupDeclaration(streams: [:], settings: wanted)
    noteDrift(applied.written.map { SetupKey(.settings, $0) }, wanted: setup)
    var effective = SetupDeclaration()
    for (name, value) in applied.held.members { effective[SetupKey(.settings, name)] = value }
    held.take(
      [.settings], wanted: setup, effective: effective,
      refused: Dictionary(
        uniqueKeysWithValues: applied.refused.map { (SetupKey(.settings, $0.key), $0.value) }),
      spared: Set(applied.spared.map { SetupKey(.settings, $0) }))
    configurationIsDue = true
  }

  /// What we had brought about, and had to write again although the board was not reset.
  private func noteDrift(_ written: [SetupKey], wanted: SetupDeclaration) {
    drifted.formUnion(written.filter { held.holds($0, as: wanted) })
  }

  /// The board was reset: what it was told is gone, but for what it does at every start.
  func forgetHeld() async {
    held.boardReset()
    settledSetup = held
    slots = SlotSurvey()
    settingsOverlay.boardReset()
    settledSince = nil
    configurationIsDue = true
    await rememberOverlay()
    await session?.order(settings: wantedSettings)
  }

  /// All that was ordered was tried: what became of it is told.
  func settled() async {
    settledSince = uptime
    contacts.isSetupPending = false
    let found = drifted.sorted().map { "\($0.words) changed" }
    let changes = Array(Set(held.changes(since: settledSetup) + found)).sorted()
    let isNewlyRefused = held.isRefusedOtherwise(than: settledSetup) && !held.refused.isEmpty
    let isNews = held != settledSetup || !changes.isEmpty
    settledSetup = held
    drifted = []
    configurationIsDue = true
    if !changes.isEmpty { applied = now }
    if isNews { await rememberOverlay() }
    if !found.isEmpty { await tell(.config, "drifted", differences: found) }
    if !changes.isEmpty { await tell(.config, "applied", differences: changes) }
    if isNewlyRefused {
      let differences = held.differences(from: wantedSetup, countingAwaited: false)
      await tell(.config, "failed", differences: differences, reason: held.error)
    }
  }

  private func tell(
    _ kind: EventKind, _ type: String, differences: [String], reason: StatedReason? = nil
  ) async {
    var fields: JSONObject = ["differences": Self.told(differences)]
    fields["reason_code"] = reason.map { .string($0.code.rawValue) }
    await tell(kind, type, fields: fields, message: reason?.sentence)
  }

  static func told(_ differences: [String]) -> JSONValue {
    .array(differences.prefix(differencesTold).map { .string($0) })
  }

  // The document.

  /// The document, when it is due and says something else than the last one.
  func dueConfiguration() -> ConfigurationReport? {
    // Whoever changes it now says so when he is done.
    guard configurationIsDue, setupChanges == 0, session == nil || isSettled && proofDue == nil else {
      return nil
    }
    configurationIsDue = false
    var report = ConfigurationReport(
      board: board, changed: lastConfiguration?.changed ?? now, profile: desired.profileName,
      desired: wantedSetup, reported: held.reported, met: held.met,
      differences: Array(held.differences(from: wantedSetup).prefix(Self.differencesTold)),
      overlay: overlaid)
    report.foreign = slots.foreign
    report.slotsUsed = slots.used
    report.applied = applied
    report.error = held.error
    guard report != lastConfiguration else { return nil }
    report.changed = now
    lastConfiguration = report
    state.isInSync = report.isInSync
    return report
  }

  /// Until when nothing is said for want of the first samples; nil when they came, or did not in time.
  var proofDue: Duration? {
    guard session != nil, !held.awaited.isEmpty, let settledSince,
      uptime < settledSince + SampleStanding.patience
    else { return nil }
    return settledSince + SampleStanding.patience
  }

  private var overlaid: [SetupKey] {
    overlay.names.map { SetupKey(.stream, $0) }
      + logMemory.overlay.names(over: standingLogs).map { SetupKey(.log, $0) }
      + programOverlay.keys.map { SetupKey($0) }
      + settingsOverlay.keys.map { SetupKey(.settings, $0) }
  }

  // Commands.

  /// Does something to the board's setup; what a document says meanwhile would be neither here nor there.
  func changingSetup(_ change: () async -> CommandOutcome) async -> CommandOutcome {
    setupChanges += 1
    let outcome = await change()
    setupChanges -= 1
    if isSettled { settledSetup = held }
    configurationIsDue = true
    return outcome
  }

  /// Makes the board do what a profile says; done when it does (MQTT contract 3.4).
  func adopt(
    _ name: String, on session: BoardSession, _ stages: CommandStages
  ) async -> CommandOutcome {
    if let failure = await environment.missingProfile(name) { return .failed(failure) }
    guard await stages.sent() else { return .failed(.cancelled) }
    let before = held
    overlay = StreamOverlay()
    logMemory.overlay = LogOverlay()
    programOverlay = ProgramOverlay()
    settingsOverlay = SettingsOverlay()
    choice = ProfileChoice(name, insteadOf: desired.configuredProfile)
    await rememberOverlay()
    await environment.choose(board, choice)
    await order()
    let isTried = await session.settle()
    await session.awaitFirstSamples()
    guard isTried else {
      return .unknown(message: "the link ended before the board did what the profile says")
    }
    let data: JSONObject = [
      "profile": .string(name), "differences": Self.told(held.changes(since: before)),
      "in_sync": .bool(held.differences(from: wantedSetup).isEmpty),
    ]
    if let failure = refusal {
      return .failed(CommandFailure(failure.code, held.error?.sentence ?? failure.message, data: data))
    }
    return .done(evidence: .readback, data: data)
  }

  /// The first thing that the board refused; nil when it does all that is wanted.
  private var refusal: CommandFailure? {
    refusedStreams.min { $0.key < $1.key }?.value ?? refusedLogs.min { $0.key < $1.key }?.value
      ?? refusedProgram.min { $0.key < $1.key }?.value
      ?? refusedSettings.min { $0.key < $1.key }?.value
  }
}
