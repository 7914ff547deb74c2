import BoardKit
import FleetModel

/// Brings one board to the streams that are wanted, and keeps what it knows to run.
final class StreamControl {
  // Unchecked, because every packet needs it, in one isolation, and decoding calls nobody.
  @exclusivity(unchecked) private var decoder = PacketDecoder(accelerometer: nil)
  private var leftOvers = LeftOvers()

  private let exchange: Exchange
  /// What the board has; nil until its interview.
  private var inventory: Inventory?
  /// What the board runs for us; nil while that is not known.
  private var running: BoardSetup?
  /// How sure we are of `running`.
  private var evidence = Evidence.linkWrite

  init(exchange: Exchange) { self.exchange = exchange }

  /// The board was interviewed.
  func begin(on inventory: Inventory) {
    self.inventory = inventory
    decoder = PacketDecoder(accelerometer: inventory.accelerometer)
  }

  /// Starts what is missing, reconfigures what differs, stops the rest.
  func apply(
    _ streams: [StreamKey: StreamRequest], button: Bool
  ) async throws(ProtocolFailure) -> StreamsApplied {
    guard let inventory else { throw .unexpected("streams were asked of a board before its interview") }
    let selection = StreamSelection(streams, button: button, on: inventory)
    let plan = StreamPlan(from: running, to: selection.setup, on: inventory)
    guard !plan.isEmpty else {
      running = selection.setup
      decoder = selection.decoder
      return StreamsApplied(active: selection.active, refused: selection.refused, evidence: evidence)
    }
    // Until its end nobody knows what runs: where this plan fails, the next one starts from nothing.
    running = nil
    let stopped = try await carryOut(plan.stop, sampling: plan.stopsSampling ? false : nil)
    guard stopped != .contradicted else {
      throw .unexpected("the accelerometer goes on sampling although it was stopped")
    }
    // What was asked after the stop has been answered: packets of the old setup are all behind us.
    decoder = selection.decoder
    // An answer still owed to the stop would be taken for the start's: then nothing more is asked.
    let canAsk = !plan.stopsSampling || stopped == .confirmed
    let started = try await carryOut(plan.start, sampling: plan.startsSampling && canAsk ? true : nil)
    guard started != .contradicted else { return withoutAcceleration(selection) }
    running = selection.setup
    evidence = (plan.startsSampling ? started : stopped) == .confirmed ? .readback : .linkWrite
    return StreamsApplied(active: selection.active, refused: selection.refused, evidence: evidence)
  }

  /// Forgets what the board runs.
  func distrust() { running = nil }

  /// Reads a packet in the way that is right now.
  func decode(_ packet: RawSpan, at arrival: Timestamp, into decoded: inout DecodedPackets) -> PacketVerdict {
    let verdict = decoder.decode(packet, at: arrival, into: &decoded)
    if verdict == .unwanted, let header = PacketDecoder.header(of: packet) { leftOvers.note(header) }
    return verdict
  }

  var hasLeftOvers: Bool { !leftOvers.isEmpty }

  /// Switches off what arrived although it is not wanted.
  func endLeftOvers() async throws(ProtocolFailure) {
    let wanted = running?.registers(on: inventory?.accelerometer) ?? []
    for register in leftOvers.take(except: wanted) { try await exchange.tell(register.unsubscribe) }
  }

  private enum Proof { case confirmed, missing, contradicted }

  /// Sends commands, then compares the accelerometer's sampling mask where it should have changed.
  private func carryOut(
    _ commands: [[UInt8]], sampling expected: Bool?
  ) async throws(ProtocolFailure) -> Proof {
    for command in commands { try await exchange.tell(command) }
    guard let expected else { return .missing }
    let reply = try await exchange.probe(Accelerometer.sampling, within: .seconds(5))
    switch reply.flatMap(Accelerometer.isSampling) {
    case expected?: return .confirmed
    case nil: return .missing
    default: return .contradicted
    }
  }

  private func withoutAcceleration(_ selection: StreamSelection) -> StreamsApplied {
    var result = StreamsApplied(active: selection.active, refused: selection.refused, evidence: .linkWrite)
    for stream in selection.decoder.acceleration?.outputs.streams ?? [] {
      result.active.removeAll { $0.key == stream }
      result.refused[stream] = CommandFailure(
        .boardError, "the accelerometer does not sample although it was told to; reset the board")
    }
    decoder.acceleration = nil
    return result
  }
}
