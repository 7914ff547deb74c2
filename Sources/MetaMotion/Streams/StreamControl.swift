import BoardKit
import FleetModel

/// Brings one board to the streams that are wanted, and keeps what it knows to run.
final class StreamControl {
  // Unchecked, because every packet needs it, in one isolation, and decoding calls nobody.
  @exclusivity(unchecked) private var decoder = PacketDecoder()
  @exclusivity(unchecked) private var outputs = ChainOutputs()
  @exclusivity(unchecked) private var timers = TimerOutputs()
  private var staleSubscriptions = StaleSubscriptions()
  /// Of the streams alone.
  private var streamRoutes: [PacketRoute] = []
  private var pins = WatchedPins()

  private let exchange: Exchange
  /// What the board has; nil until its interview.
  private var inventory: Inventory?
  private var known = KnownRuns()
  /// What ran once.
  private(set) var configured = ConfiguredStreams()

  let registers: RegisterReader
  private let settings: SettingsCheck
  private let switches: SwitchCheck

  init(exchange: Exchange, registers: RegisterReader) {
    self.exchange = exchange
    self.registers = registers
    settings = SettingsCheck(exchange: exchange, registers: registers)
    switches = SwitchCheck(exchange: exchange, registers: registers)
  }

  /// The board was interviewed.
  func begin(on inventory: Inventory) {
    self.inventory = inventory
    read(by: StreamSelection([:], button: false, on: inventory).routes)
  }

  /// The board thins its samples out, from the next order on.
  func take(_ downsampling: Downsampling) { inventory?.downsampling = downsampling }

  /// The streams that an earlier link left running.
  func recall(_ streams: [StreamRequest]) {
    guard let inventory else { return }
    let keyed = Dictionary(
      uniqueKeysWithValues: streams.enumerated().map { (StreamKey($0.offset), $0.element) })
    known.recall(StreamSelection(keyed, button: false, on: inventory).setup)
  }

  /// The sensors that run for somebody else and that these streams need otherwise, in words. Asked before the first
  /// order on a board of which nothing is known; nothing is changed.
  func conflicts(
    _ streams: [StreamKey: StreamRequest], chains: [String: ChainOutput], button: Bool
  ) async throws(ProtocolFailure) -> [String] {
    guard let inventory, !known.isOrdered, known.begun.runs.isEmpty else { return [] }
    let selection = StreamSelection(streams, chains: chains, button: button, on: inventory)
    let plan = StreamPlan(
      from: nil, to: selection.setup, leftOver: selection.leftOver, proved: try await provedUnits(selection))
    let units = plan.stopped.map(\.unit).sorted()
    let answers = try await exchange.ask(together: units.compactMap { $0.activity?.register.read() })
    return units.filter { unit in
      guard let activity = unit.activity else { return false }
      return answers[activity.register.read()].flatMap(activity.isRunning) == true
    }.map(\.name)
  }

  /// Starts what is missing, reconfigures what differs, stops the rest of what is ours.
  func apply(
    _ streams: [StreamKey: StreamRequest], chains: [String: ChainOutput], button: Bool
  ) async throws(ProtocolFailure) -> StreamsApplied {
    guard let inventory else { throw .unexpected("streams were asked of a board before its interview") }
    let applied = try await applyRuns(streams, chains: chains, button: button, on: inventory)
    return try await provingPolled(applied, on: inventory)
  }

  private func applyRuns(
    _ streams: [StreamKey: StreamRequest], chains: [String: ChainOutput], button: Bool,
    on inventory: Inventory
  ) async throws(ProtocolFailure) -> StreamsApplied {
    let selection = StreamSelection(streams, chains: chains, button: button, on: inventory)
    let going = known.isOrdered ? [] : try await provedUnits(selection)
    let plan = known.order(selection, proved: going)
    guard !plan.isEmpty else {
      known.keep(selection.setup)
      configured.take(selection)
      read(by: selection)
      return StreamsApplied(active: marked(selection), refused: selection.refused, evidence: known.evidence)
    }
    known.begin(selection.setup)
    try await carryOut(plan.stop)
    let stopped = try await proofs(of: plan.stopped)
    if let unit = plan.stopped.first(where: { stopped[$0.unit] == true })?.unit {
      throw .unexpected("the \(unit.name) still runs after being stopped")
    }
    try await carryOut(plan.configuration)
    let check = try await settings.check(plan.started)
    known.configure(plan, unread: check.unread)
    // What was asked after the stop has been answered: packets of the old setup are all behind us.
    let onBoard = selection.holding(check, of: streams, chains: chains, button: button, on: inventory)
    read(by: onBoard.selection)
    try await carryOut(plan.starts(except: onBoard.unset))
    // All pins share one subscription, which a stream that ended took along.
    if !pins.isEmpty, plan.stopped.contains(where: { $0.registers.contains(Pin.change.register) }) {
      try await exchange.write(Pin.change.register.subscribe)
    }
    // An answer still owed to the stop would be taken for the start's: then nothing more is asked of that unit.
    let unanswered = plan.stopped.filter { $0.proof != nil && stopped[$0.unit] == nil }.compactMap(\.proof)
    let started = try await switches.check(
      plan.started.filter { run in
        !onBoard.unset.contains(run.unit) && !unanswered.contains { $0.register == run.proof?.register }
      })
    guard started.off.isEmpty, check.differing.isEmpty else {
      return without(started.off, onBoard.unset, check, selection, active: marked(onBoard.selection))
    }
    known.reconcile(
      selection.setup, plan, isRead: check.unread.isEmpty, .init(stopped: stopped, started: started.on))
    configured.take(selection)
    return StreamsApplied(active: marked(selection), refused: selection.refused, evidence: known.evidence)
  }

  /// Tells the changes of a pin, or no longer. The pin itself is set up by whoever calls.
  func watch(pin: UInt8, _ isOn: Bool) async throws(ProtocolFailure) {
    pins.watch(pin, isOn)
    read(by: streamRoutes)
    if isOn {
      try await exchange.write(Pin.change.register.subscribe)
    } else if pins.isEmpty, known.running?.registers.contains(Pin.change.register) != true {
      try await exchange.write(Pin.change.register.unsubscribe)
    }
  }

  /// Processors and timers whose slots were filled anew: whoever listened to what stood there does so no longer.
  func forget(_ units: Set<SensorRun.Unit>) { known.forget(units) }

  private func read(by selection: StreamSelection) {
    outputs = selection.outputs
    timers = selection.timers.counting(on: timers)
    read(by: selection.routes)
  }

  private func read(by streams: [PacketRoute]) {
    streamRoutes = streams
    decoder = PacketDecoder(routes: streams + pins.routes)
  }

  /// Forgets what the board runs.
  func invalidateCachedState() { known.invalidateCachedState() }

  /// Reads a packet in the way that is right now.
  func decode(_ packet: RawSpan, at arrival: Timestamp, into decoded: inout DecodedPackets) -> PacketVerdict {
    let verdict = decoder.decode(packet, at: arrival, into: &decoded)
    guard verdict == .unwanted, let header = PacketDecoder.header(of: packet) else { return verdict }
    if header == BoardTimer.tick.notificationHeader {
      return timers.decode(packet, at: arrival, into: &decoded.readings, noting: &staleSubscriptions)
    }
    guard header == Processor.output.notificationHeader else {
      staleSubscriptions.note(header)
      return verdict
    }
    return outputs.decode(packet, at: arrival, into: &decoded.readings, noting: &staleSubscriptions)
  }

  var hasStaleSubscriptions: Bool { !staleSubscriptions.isEmpty }

  /// Switches off what arrived although it is not wanted.
  func endStaleSubscriptions() async throws(ProtocolFailure) {
    let wanted = (known.running?.registers ?? []).union(pins.isEmpty ? [] : [Pin.change.register])
    for register in staleSubscriptions.take(except: wanted) { try await exchange.write(register.unsubscribe) }
    for slot in staleSubscriptions.takeProcessors(except: outputs.slots) {
      try await exchange.write(Processor.unsubscribe(slot))
    }
    for slot in staleSubscriptions.takeTimers(except: timers.slots) {
      try await exchange.write(BoardTimer.setNotification(slot, false))
    }
  }

  private func carryOut(_ steps: [BoardStep]) async throws(ProtocolFailure) {
    for step in steps { try await exchange.carryOut(step) }
  }

  /// Whether units run, as far as the board tells.
  private func proofs(of runs: [SensorRun]) async throws(ProtocolFailure) -> [SensorRun.Unit: Bool] {
    var answers: [SensorRun.Unit: Bool] = [:]
    var replies: [Register: [UInt8]] = [:]
    for run in runs {
      guard let proof = run.proof else { continue }
      if replies[proof.register] == nil {
        replies[proof.register] = try await exchange.probe(proof.register, within: .seconds(5))
      }
      answers[run.unit] = replies[proof.register].flatMap(proof.isRunning)
    }
    return answers
  }

  /// The units that run already just as they shall, of those whose samples the board itself takes. What its loggers and
  /// processors are about is not torn apart by every link.
  private func provedUnits(_ selection: StreamSelection) async throws(ProtocolFailure) -> Set<SensorRun.Unit>
  {
    var proved: Set<SensorRun.Unit> = []
    for unit in selection.consumed.sorted() {
      guard let run = selection.setup.runs[unit], let readBacks = run.readBacks else { continue }
      var isProved = true
      for readBack in readBacks where isProved {
        isProved = try await exchange.probe(readBack.register).map(readBack.agrees) ?? false
      }
      if isProved, try await switches.isHeard(run) { proved.insert(unit) }
    }
    return proved
  }

  /// What runs; samples of units whose settings nobody has read are in doubt.
  private func marked(_ selection: StreamSelection) -> [ActiveStream] {
    let doubtful = Set(known.unverified.flatMap { selection.dependants[$0] ?? [] })
    return selection.active.map { stream in
      guard doubtful.contains(stream.key) else { return stream }
      var stream = stream
      stream.doubts.insert(.configUnverified)
      return stream
    }
  }

  /// What is left when units do not run although they were told to, or hold other settings than were written. Those
  /// whose settings can be understood deliver what they hold; nobody is told that this is what was wanted.
  private func without(
    _ off: [SensorRun.Unit: SwitchCheck.Witness], _ unset: Set<SensorRun.Unit>, _ check: SettingsCheck.Result,
    _ selection: StreamSelection, active: [ActiveStream]
  ) -> StreamsApplied {
    var result = StreamsApplied(active: active, refused: selection.refused, evidence: .linkWrite)
    func refuse(_ unit: SensorRun.Unit, because message: String, isSilent: Bool) {
      for stream in selection.dependants[unit] ?? [] {
        if isSilent { result.active.removeAll { $0.key == stream } }
        result.refused[stream] = CommandFailure(.boardError, message)
      }
    }
    for (unit, difference) in check.differing {
      refuse(unit, because: difference.words(of: unit), isSilent: unset.contains(unit))
    }
    for (unit, witness) in off {
      refuse(
        unit,
        because: "the \(unit.name) does not run after being started twice: \(witness.words); "
          + "reset the board",
        isSilent: true)
    }
    return result
  }
}
