import BoardKit
import FleetModel

/// A board's retained documents, and the duties that keep them true.
extension BoardSupervisor {
  /// Does what is due and sleeps until the next thing is.
  func keepDuties() async {
    while !Task.isCancelled {
      let next = await performDuties()
      await dutyAlarm.sleep(atMost: next.map { max(.zero, $0 - uptime) }, by: environment.timekeeper)
    }
  }

  /// Returns when something is due again.
  private func performDuties() async -> Duration? {
    var next: [Duration] = []
    if infoIsDue, let lastInfo {
      infoIsDue = false
      await environment.deliver([.info(lastInfo)])
    }
    if overlay.expire(at: now) {
      await rememberOverlay()
      await order()
    }
    if let report = dueConfiguration() { await environment.deliver([.configuration(report)]) }
    if let proofDue { next.append(proofDue) }
    if let expiry = overlay.nextExpiry { next.append(uptime + (expiry - now)) }
    if let until = led?.until, led?.appearance != nil {
      if until <= now {
        await setLED(LEDState(appearance: nil, until: nil, time: until))
      } else {
        next.append(uptime + (until - now))
      }
    }
    if let deadline = expireWaiters() { next.append(deadline) }
    await tellQueued()
    if let change = await judgeAvailability() { next.append(change) }
    if let contact = await tendContact() { next.append(contact) }
    if let level = await watchLogLevel() { next.append(level) }
    refreshState()
    let (isDue, again) = throttle.offer(state, isOnline: availability?.state == .online, at: uptime)
    if isDue { await environment.deliver([.state(state)]) }
    if let again { next.append(again) }
    return next.min()
  }

  private func refreshState() {
    let (phase, reason) = standing
    state.link = phase
    state.reason = reason
    state.time = now
    state.troubles = streamTroubles + logTroubles
    state.lastDay.sessions = sessions.value(at: uptime)
    state.lastDay.sessionFailures = sessionFailures.value(at: uptime)
    state.lastDay.samplesLost = samplesLost.value(at: uptime)
    state.commandsWaiting = commandsWaiting
    state.contact.next =
      phase.isConnected ? nil : isHeld ? state.contact.lastSeen.map { $0 + availabilityWindow } : nextDue
    let estimate = logMemory.estimate
    state.log.entries = estimate?.entries
    state.log.usedPercent = estimate.map { ($0.usedPercent(at: now) * 10).rounded() / 10 }
    state.log.full = estimate?.full
    state.clock.error = running.isEmpty ? clockError : SessionStream.arrivalClock.errorMilliseconds
  }

  /// What the board should log and does not, whether it is connected or not.
  private var logTroubles: [StreamTrouble] {
    var failures = refusedLogs
    for name in wantedLogs.keys { failures[name] = failures[name] ?? held.logFailure }
    return failures.sorted { $0.key < $1.key }.map {
      StreamTrouble("log/\($0.key)", StatedReason(.notLogged, $0.value.message))
    }
  }

  /// Where the board stands, and why it is not where it should be.
  private var standing: (LinkPhase, StatedReason?) {
    if session != nil {
      guard facts.isAnswering else { return (.interviewing, nil) }
      if isDownloading { return (.downloading, nil) }
      return (running.isEmpty ? .idle : .streaming, refusals)
    }
    func why(_ code: ReasonCode, _ sentence: String) -> StatedReason { StatedReason(code, sentence) }
    // The code stands in the sentence, too: many look there for it.
    let failure = machine.lastFailure.map { why($0.reason.code, "\($0.reason.rawValue): \($0.message)") }
    if !desired.isEnabled { return (heardPhase, why(.disabled, "disabled in the configuration")) }
    if isReleased { return (heardPhase, why(.drained, Self.drained)) }
    if facts.isBootloader {
      return (.bootloader, why(.bootloader, "the board waits in its bootloader for firmware"))
    }
    if facts.isAsleep { return (heardPhase, why(.asleep, "it was put to sleep: press its button")) }
    if !pauseBeforeContact.isNow, machine.state != .stranded { return (restingPhase, nil) }
    switch machine.state {
    // A board that left while it waited for a place is not there to be connected to.
    case .wanting where heardPhase == .advertising: return (.waitingForSlot, failure)
    case .absent, .wanting:
      let silence =
        facts.lastSeen == nil
        ? why(.notHeard, "not heard yet") : why(.awaitingAdvertisement, "waits to be heard again")
      return (heardPhase, failure ?? silence)
    case .connecting: return (.connecting, failure)
    case .connected: return (.interviewing, nil)
    case .resting: return (facts.isUnreachable ? .unreachable : heardPhase, failure)
    case .held: return (heardPhase, why(.held, "kept apart on request"))
    case .stranded: return (.unseen, failure ?? why(.noRadio, "no radio"))
    }
  }

  /// Why a connected board does not do all that is wanted; nil when nothing was refused.
  private var refusals: StatedReason? {
    func named<Key: Comparable>(
      _ refused: [Key: CommandFailure], _ name: (Key) -> String
    ) -> [(String, CommandFailure)] {
      refused.sorted { $0.key < $1.key }.map { (name($0.key), $0.value) }
    }
    let all =
      named(refusedStreams) { $0 } + named(refusedLogs) { "log/\($0)" } + named(refusedProgram) { $0.words }
      + named(refusedPins) { "gpio/\($0)" } + named(refusedSettings) { "settings/\($0)" }
    guard !all.isEmpty else { return nil }
    return StatedReason(
      ReasonCode(refusals: all.map(\.1.code)),
      all.map { "\($0.0): \($0.1.message)" }.joined(separator: "; "))
  }

  /// Why a released board has no link.
  static let drained = "the gateway is drained; resume it with the verb drain"

  /// Between two contacts.
  private var restingPhase: LinkPhase {
    // A board may have logging on and no logger: then it logs nothing.
    let isLogging = logMemory.estimate?.isLogging == true && !logMemory.made.isEmpty
    return heardPhase == .advertising && isLogging ? .logging : heardPhase
  }

  private var heardPhase: LinkPhase {
    guard let seen = facts.lastSeen else { return .unseen }
    return uptime - seen < availabilityWindow ? .advertising : .unseen
  }

  /// Whether a board we want to connect to has not been heard for so long.
  func isUnheard(for limit: Duration, at uptime: Duration) -> Bool {
    desired.isEnabled && session == nil && uptime - (facts.lastSeen ?? facts.watchedSince) >= limit
  }

  var availabilityWindow: Duration { desired.profile.availabilityWindow ?? standardWindow }

  /// Publishes the availability when it changed. Returns when it may change by itself.
  @discardableResult
  func judgeAvailability() async -> Duration? {
    let (reason, until) = AvailabilityRule(window: availabilityWindow).judge(facts, at: uptime)
    if availability?.reason != reason {
      let new = Availability(reason: reason, since: now)
      availability = new
      await environment.deliver([.availability(board, new)])
    }
    return until
  }

  /// Publishes the identity when it changed.
  func publishInfo() {
    var info = BoardInfo(
      board: board, family: environment.family.name,
      name: desired.name ?? advertisedName ?? board.address.colonSeparated, site: desired.site,
      profile: desired.profileName, groups: desired.groups, labels: desired.labels,
      verbs: permissions.verbs(on: board, in: desired.groups),
      description: description, chains: chains, interviewed: interviewed, changed: lastInfo?.changed ?? now)
    guard info != lastInfo else { return }
    info.changed = now
    lastInfo = info
    infoIsDue = true
    dutyAlarm.ring()
  }

  /// All retained documents as they are, for a broker that may have lost them.
  var retainedDocuments: [FleetEvent] {
    var events: [FleetEvent] = []
    if let lastInfo { events.append(.info(lastInfo)) }
    if let availability { events.append(.availability(board, availability)) }
    if let state = throttle.last { events.append(.state(state)) }
    if let led { events.append(.led(board, led)) }
    if let lastConfiguration { events.append(.configuration(lastConfiguration)) }
    return events
  }
}
