import BoardKit
import FleetModel
import Logging
import Storage

/// What a session tells, turned into events and state.
extension BoardSupervisor {
  func heard(_ report: SessionReport) async {
    switch report {
    case .interviewed(let interview, let boots, let hasRebooted):
      await interviewed(interview, boots, hasRebooted: hasRebooted)
    case .streams(let wanted, let running, let standing, let chains, let refused):
      self.running = running.map(\.name).sorted()
      refusedStreams = refused
      // What a chain yields is told with the chain.
      took(
        streams: wanted.filter { !chains.contains($0.key) }, running.filter { !chains.contains($0.name) },
        standing, refused)
      becomeReady()
    case .samples(let standing): took(standing)
    case .program(let wanted, let applied):
      refusedProgram = applied.refused
      took(program: wanted, applied)
    case .chains(let chains):
      self.chains = chains
      publishInfo()
    case .pins(let refused): refusedPins = refused
    case .logs(let made, let logged, let refused): await took(loggers: made, logged, refused)
    case .log(let standing): await took(standing)
    case .logStarted(let failure):
      held.logStarted(failure)
      configurationIsDue = true
    case .othersLoggers(let slots):
      logMemory.foreign = slots
      await rememberOverlay()
    case .logTrouble(let text):
      environment.log.warning("log trouble", metadata: ["board": "\(board)", "reason": "\(text)"])
    case .downloading(let isDownloading): self.isDownloading = isDownloading
    case .passed(let step):
      environment.log.debug("log download", metadata: ["board": "\(board)", "step": "\(step.rawValue)"])
      if step == .kept, isArchiveRefused { await heard(.stored(nil)) }
      await environment.passed(board, step)
    case .stored(let failure):
      isArchiveRefused = failure != nil
      await environment.archived(board, failure)
    case .archiveGrew: environment.archiveGrew()
    case .downloaded(let download): await took(download)
    case .agendaDone: await contactDone()
    case .settings(let wanted, let applied):
      refusedSettings = applied.refused
      took(settings: wanted, applied)
    case .settled: await settled()
    case .surveyed(let survey):
      slots = survey
      configurationIsDue = true
    case .programMemory(let record, let own):
      programMemory = record
      slots.update(own: own)
      configurationIsDue = true
      await rememberOverlay()
    case .battery(let percent, let millivolts, let time): await battery(percent, millivolts, time)
    case .charging(let isCharging): state.battery.isCharging = isCharging
    case .event(.button(let isPressed), let time): await button(isPressed, time)
    case .event(.happened(let kind, let type, let fields), let time):
      await tell(kind, type, fields: fields, at: time)
    case .silence(let stream, let isSilent):
      await tell(.streamSilent, isSilent ? "silent" : "recovered", fields: ["stream": .string(stream)])
    case .rate(let stream, let fault):
      var fields: JSONObject = ["stream": .string(stream)]
      for (name, value) in fault?.fields ?? [] { fields[name] = .integer(Int64(value)) }
      await tell(.streamRate, fault?.type ?? "recovered", fields: fields)
    case .packet(let time):
      state.contact.lastSeen = time
      facts.lastSeen = uptime
    case .resumed(let stream, let cutOff, let time, let missing, let begun):
      // Before the old one is forgotten: a kill in between would leave neither.
      if let begun { await environment.deliver([.stream(.began(begun))]) }
      let reason = cutOff.reason ?? (resetSinceLastLink ? .boardReset : .radio)
      if missing > 0 { samplesLost.add(missing, at: uptime) }
      // A slow stream that comes back within its period has lost nothing.
      if missing != 0 { await tellGap(in: stream, cutOff, until: time, count: missing, reason: reason) }
      await forget(cutOff, of: stream)
    case .missed(let stream, let session, let missed, let isOverflow):
      samplesLost.add(missed.count, at: uptime)
      await tellGap(
        in: stream, CutOff(session: session, lastSample: missed.from), until: missed.to, count: missed.count,
        reason: isOverflow ? .overflow : .radio)
    case .impossible(let stream, let first):
      await tell(
        .dataQuality, "impossible-value",
        fields: ["stream": .string(stream), "field": .string(first.field), "value": first.json])
    case .possible(let stream, let count):
      await tell(
        .dataQuality, "recovered", fields: ["stream": .string(stream), "count": .integer(Int64(count))])
    case .leftOut(let stream, let session, let hole):
      await tellGap(
        in: stream, CutOff(session: session, lastSample: hole.from), until: hole.to, count: hole.count,
        reason: .impossibleValue)
    case .lost(_, let count): samplesLost.add(count, at: uptime)
    }
    dutyAlarm.ring()
  }

  private func interviewed(_ interview: Interview, _ boots: BootRecord, hasRebooted: Bool) async {
    machine.answered()
    state.contact.lastSeen = now
    facts.lastSeen = uptime
    facts.isAnswering = true
    facts.isUnreachable = false
    facts.isBootloader = false
    facts.isAsleep = false
    sessions.add(at: uptime)
    self.boots = boots
    description = environment.offers.sharing(interview.description)
    interviewed = now
    state.firmware = interview.description.firmwareRevision
    state.clock.boot = boots.count
    memory.driverMemory = interview.memory
    memory.resetID = boots.resetID
    memory.bootTime = boots.bootTime
    memory.bootCount = boots.count
    memory.description = Remembered.bytes(interview.description, interviewed: now)
    await remember()
    publishInfo()
    await tell(.linkUp, "up", fields: ["adapter": .string(state.adapter?.description ?? "")])
    resetSinceLastLink = hasRebooted
    if hasRebooted {
      await tell(
        .reset, "unexpected",
        fields: ["boot": .integer(Int64(boots.count)), "reset_uid": .integer(Int64(interview.resetID))])
      // A reset clears the LED.
      await setLED(LEDState(appearance: nil, until: nil, time: now))
      await forgetHeld()
    }
    resolveRebootWaiter(hasRebooted: hasRebooted)
    await environment.linksChanged()
  }

  /// Loss is never silent (invariant I12). A `count` of -1: nobody knows.
  private func tellGap(
    in stream: String, _ cutOff: CutOff, until time: Timestamp, count: Int, reason: GapReason
  ) async {
    await tell(
      .dataGap, "stream",
      fields: [
        "stream": .string(stream), "session": .string(cutOff.session.description),
        "from_ms": .integer(cutOff.lastSample.milliseconds), "to_ms": .integer(time.milliseconds),
        "count": .integer(Int64(count)), "reason": .string(reason.rawValue),
      ])
  }

  /// What is missing behind a session was told: nothing has to be known of it any more.
  private func forget(_ cutOff: CutOff, of stream: String) async {
    let others = memory.cutOff.filter { $0.stream == stream && $0.session != cutOff.session }
    memory.cutOff.removeAll { $0.stream == stream }
    await environment.deliver(([cutOff.session] + others.map(\.session)).map { .stream(.ended($0)) })
  }

  /// The gateway itself had to drop samples of the board, which it tells by itself.
  func dropped(_ samples: Int) {
    samplesLost.add(samples, at: uptime)
    dutyAlarm.ring()
  }

  private func becomeReady() {
    guard !isSessionReady else { return }
    isSessionReady = true
    let begun = linkWaiters.filter { $0.turn == nil }
    linkWaiters.removeAll { $0.turn == nil }
    for waiter in begun { waiter.continuation.resume(returning: true) }
    serveNextTurn()
  }

  private func battery(_ percent: Int, _ millivolts: Int, _ time: Timestamp) async {
    let before = state.battery.percent ?? 100
    state.battery.percent = percent
    state.battery.millivolts = millivolts
    state.battery.time = time
    // Levels of the MQTT contract, section 5; told when crossed.
    for (level, type) in [(5, "critical"), (20, "low")] where percent <= level && before > level {
      await tell(
        .lowBattery, type,
        fields: ["battery_pct": .integer(Int64(percent)), "battery_mv": .integer(Int64(millivolts))])
      break
    }
  }

  private func button(_ isPressed: Bool, _ time: Timestamp) async {
    var fields = JSONObject()
    if isPressed {
      pressedSince = time
    } else if let pressedSince {
      fields["held_ms"] = .integer((time - pressedSince).wholeMilliseconds)
      self.pressedSince = nil
    }
    await tell(.button, isPressed ? "press" : "release", fields: fields, at: time)
  }

  /// Publishes an event of this board.
  func tell(
    _ kind: EventKind, _ type: String, fields: JSONObject = JSONObject(), message: String? = nil,
    at time: Timestamp? = nil
  ) async {
    let time = time ?? now
    await environment.deliver([
      .happened(
        Happening(
          kind, type, subject: .board(board), fields: fields, message: message,
          id: ULID(at: time, using: &random), time: time))
    ])
  }

  /// Publishes the LED's state and remembers it.
  func setLED(_ new: LEDState) async {
    guard led?.appearance != new.appearance || led?.until != new.until || led == nil else { return }
    led = new
    if let appearance = new.appearance { lastAppearance = appearance }
    memory.led = Remembered.bytes(new)
    await remember()
    await environment.deliver([.led(board, new)])
    dutyAlarm.ring()
  }

  func remember() async {
    do throws(StoreFailure) { try await environment.store.save(memory) } catch {
      environment.log.error(
        "the board's memory cannot be stored", metadata: ["board": "\(board)", "reason": "\(error)"])
    }
  }
}
