import BoardKit
import FleetModel

/// Where a chain of this board comes out, and what: the chain as a stream.
struct ChainOutput: Hashable, Sendable {
  /// Of its last processor.
  var slot: UInt8
  var layout: SampleLayout
  var stream: ChainStream
}

/// The outputs of processors that are wanted, by their slots (protocol reference, section 14.1).
struct ChainOutputs: Sendable {
  private var wanted: [UInt8: (key: StreamKey, layout: SampleLayout)] = [:]

  /// Takes the samples of a chain for a stream.
  mutating func add(_ chain: ChainOutput, for key: StreamKey) { wanted[chain.slot] = (key, chain.layout) }

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
  func decode(
    _ packet: RawSpan, at arrival: Timestamp, into readings: inout ReadingBuffer,
    noting leftOvers: inout LeftOvers
  ) -> PacketVerdict {
    let bytes = packet.withUnsafeBytes { Array($0) }
    guard bytes.count > 3 else { return .malformed }
    guard let (key, layout) = wanted[bytes[2]] else {
      leftOvers.note(processor: bytes[2])
      return .unwanted
    }
    guard let samples = layout.samples(in: Array(bytes[3...])) else { return .malformed }
    for sample in samples { readings.append(key, at: arrival, sample.told) }
    return .taken
  }
}
