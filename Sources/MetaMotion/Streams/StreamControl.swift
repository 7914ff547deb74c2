import BoardKit
import FleetModel

/// Brings one board to the streams that are wanted, and keeps what it knows to run.
final class StreamControl {
  // Unchecked, because every packet needs it, in one isolation, and decoding calls nobody.
  @exclusivity(unchecked) private var decoder = PacketDecoder()
  @exclusivity(unchecked) private var outputs = ChainOutputs()
  private var leftOvers = LeftOvers()
  /// Of the streams alone.
  private var streamRoutes: [PacketRoute] = []
  private var pins = WatchedPins()

  private let exchange: Exchange
  /// What the board has; nil until its interview.
  private var inventory: Inventory?
  /// What the board runs for us; nil while that is not known.
  private var running: BoardSetup?
  /// Whether something was ordered on this link.
  private var isOrdered = false
  /// What ran once.
  private(set) var configured = ConfiguredStreams()
  /// How sure we are of `running`.
  private var evidence = Evidence.linkWrite

  init(exchange: Exchange) { self.exchange = exchange }

  /// The board was interviewed.
  func begin(on inventory: Inventory) {
    self.inventory = inventory
    read(by: StreamSelection([:], button: false, on: inventory).routes)
  }

  /// Starts what is missing, reconfigures what differs, stops the rest.
  func apply(
    _ streams: [StreamKey: StreamRequest], chains: [String: ChainOutput], button: Bool
  ) async throws(ProtocolFailure) -> StreamsApplied {
    guard let inventory else { throw .unexpected("streams were asked of a board before its interview") }
    let selection = StreamSelection(streams, chains: chains, button: button, on: inventory)
    let going = isOrdered ? [] : try await provedUnits(selection)
    isOrdered = true
    let plan = StreamPlan(
      from: running, to: selection.setup, leftOver: selection.leftOver, proved: going)
    guard !plan.isEmpty else {
      running = selection.setup
      configured.take(selection)
      read(by: selection)
      return StreamsApplied(active: selection.active, refused: selection.refused, evidence: evidence)
    }
    // Until its end nobody knows what runs: where this plan fails, the next one starts from nothing.
    running = nil
    try await carryOut(plan.stop)
    let stopped = try await proofs(of: plan.stopped)
    if let unit = plan.stopped.first(where: { stopped[$0.unit] == true })?.unit {
      throw .unexpected("the \(unit.name) goes on although it was stopped")
    }
    // What was asked after the stop has been answered: packets of the old setup are all behind us.
    read(by: selection)
    try await carryOut(plan.start)
    // All pins share one subscription, which a stream that ended took along.
    if !pins.isEmpty, plan.stopped.contains(where: { $0.registers.contains(Pin.change) }) {
      try await exchange.tell(Pin.change.subscribe)
    }
    // An answer still owed to the stop would be taken for the start's: then nothing more is asked of that unit.
    let unanswered = plan.stopped.filter { $0.proof != nil && stopped[$0.unit] == nil }.compactMap(\.proof)
    let started = try await proofs(
      of: plan.started.filter { run in !unanswered.contains { $0.register == run.proof?.register } })
    let idle = plan.started.map(\.unit).filter { started[$0] == false }
    guard idle.isEmpty else { return without(idle, selection) }
    running = selection.setup
    configured.take(selection)
    let isStart = plan.started.contains { $0.proof != nil }
    let provable = (isStart ? plan.started : plan.stopped).filter { $0.proof != nil }
    let proved = isStart ? started : stopped
    evidence =
      !provable.isEmpty && provable.allSatisfy { proved[$0.unit] == isStart } ? .readback : .linkWrite
    return StreamsApplied(active: selection.active, refused: selection.refused, evidence: evidence)
  }

  /// Tells the changes of a pin, or no longer. The pin itself is set up by whoever calls.
  func watch(pin: UInt8, _ isOn: Bool) async throws(ProtocolFailure) {
    pins.watch(pin, isOn)
    read(by: streamRoutes)
    if isOn {
      try await exchange.tell(Pin.change.subscribe)
    } else if pins.isEmpty, running?.registers.contains(Pin.change) != true {
      try await exchange.tell(Pin.change.unsubscribe)
    }
  }

  /// Slots of processors that were filled anew: whoever listened to what stood there does so no longer.
  func forget(processors slots: Set<UInt8>) { running?.forget(processors: slots) }

  private func read(by selection: StreamSelection) {
    outputs = selection.outputs
    read(by: selection.routes)
  }

  private func read(by streams: [PacketRoute]) {
    streamRoutes = streams
    decoder = PacketDecoder(routes: streams + pins.routes)
  }

  /// Forgets what the board runs.
  func distrust() { running = nil }

  /// Reads a packet in the way that is right now.
  func decode(_ packet: RawSpan, at arrival: Timestamp, into decoded: inout DecodedPackets) -> PacketVerdict {
    let verdict = decoder.decode(packet, at: arrival, into: &decoded)
    guard verdict == .unwanted, let header = PacketDecoder.header(of: packet) else { return verdict }
    guard header == Processor.output.notificationHeader else {
      leftOvers.note(header)
      return verdict
    }
    return outputs.decode(packet, at: arrival, into: &decoded.readings, noting: &leftOvers)
  }

  var hasLeftOvers: Bool { !leftOvers.isEmpty }

  /// Switches off what arrived although it is not wanted.
  func endLeftOvers() async throws(ProtocolFailure) {
    let wanted = (running?.registers ?? []).union(pins.isEmpty ? [] : [Pin.change])
    for register in leftOvers.take(except: wanted) { try await exchange.tell(register.unsubscribe) }
    for slot in leftOvers.takeProcessors(except: outputs.slots) {
      try await exchange.tell(Processor.unsubscribe(slot))
    }
  }

  private func carryOut(_ steps: [BoardStep]) async throws(ProtocolFailure) {
    for step in steps {
      switch step {
      case .write(let command): try await exchange.tell(command)
      case .pause(let duration): try await exchange.wait(for: duration)
      }
    }
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
      guard let readBacks = selection.setup.runs[unit]?.readBacks else { continue }
      var isProved = true
      for readBack in readBacks where isProved {
        isProved = try await exchange.probe(readBack.register).map(readBack.agrees) ?? false
      }
      if isProved { proved.insert(unit) }
    }
    return proved
  }

  /// What is left when units do not run although they were told to.
  private func without(_ units: [SensorRun.Unit], _ selection: StreamSelection) -> StreamsApplied {
    var result = StreamsApplied(active: selection.active, refused: selection.refused, evidence: .linkWrite)
    for unit in units {
      for stream in selection.dependants[unit] ?? [] {
        result.active.removeAll { $0.key == stream }
        result.refused[stream] = CommandFailure(
          .boardError, "the \(unit.name) does not run although it was told to; reset the board")
      }
    }
    return result
  }
}
