import BoardKit
import FleetModel

/// Where a chain of this board comes out, and what: the chain as a stream. So do the ticks of a timer.
struct ChainOutput: Hashable, Sendable {
  /// Of its last processor, or of the timer.
  var slot: UInt8
  var layout: SampleLayout
  var stream: ChainStream
  /// The chain that takes from a sensor as many samples as come out here; nil where others come out.
  var rateSource: String?
  var isTimer = false
}

/// The outputs of processors that are wanted, by their slots (protocol reference, section 14.1).
struct ChainOutputs: Sendable {
  private struct Listener: Sendable {
    let key: StreamKey
    let layout: SampleLayout
    var stamps = TickStamps()
  }

  private var wanted: [UInt8: Listener] = [:]

  /// Takes the samples of a chain for a stream.
  mutating func add(_ chain: ChainOutput, for key: StreamKey) {
    wanted[chain.slot] = Listener(key: key, layout: chain.layout)
  }

  /// What has the board send them. The second of the two writes is shared by all, and stays (section 2.3).
  var runs: [SensorRun] {
    wanted.keys.map { slot in
      SensorRun(
        unit: .processor(slot), start: Processor.subscribe(slot), stop: [Processor.unsubscribe(slot)])
    }
  }

  /// Slots whose outputs are wanted.
  var slots: Set<UInt8> { Set(wanted.keys) }

  /// Decodes a packet of the output register, in which samples may be of any shape. What nobody wants is noted.
  mutating func decode(
    _ packet: RawSpan, at arrival: Timestamp, into readings: inout ReadingBuffer,
    noting staleSubscriptions: inout StaleSubscriptions
  ) -> PacketVerdict {
    let bytes = packet.withUnsafeBytes { Array($0) }
    guard bytes.count > 3 else { return .malformed }
    guard let listener = wanted[bytes[2]] else {
      staleSubscriptions.note(processor: bytes[2])
      return .unwanted
    }
    guard let samples = listener.layout.samples(in: Array(bytes[3...])) else { return .malformed }
    if let tick = samples.last?.tick { wanted[bytes[2]]?.stamps.arrived(tick, at: arrival) }
    for sample in samples {
      let time = sample.tick.flatMap { wanted[bytes[2]]?.stamps.time(of: $0) }
      readings.append(listener.key, at: time ?? arrival, sample.published)
    }
    return .taken
  }
}
