import BoardKit
import Dialects
import FleetModel
import Storage

@testable import Fleet

/// A log of a family of its own: entries of ten bytes, a slot and a reset, ticks of a millisecond, a number of
/// hundredths.
struct TestLog {
  static let entrySize = 10
  static let format = LogFormat(
    entrySize: entrySize, timing: BoardTiming(nanoseconds: 1_000_000, perTicks: 1, resetIDs: 8),
    clock: { bytes, offset in
      guard offset + entrySize <= bytes.byteCount else { return nil }
      return BoardTick(
        resetID: Int(bytes.unsafeLoad(fromByteOffset: offset + 1, as: UInt8.self)),
        tick: bytes.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: UInt32.self))
    }, logger: { Int($0.unsafeLoad(fromByteOffset: $1, as: UInt8.self)) },
    makeDecoder: { TestLogDecoder(streams: $0, rest: $1) })
  static let start = Timestamp(milliseconds: 1_763_671_000_000)

  private(set) var entries: [[UInt8]] = []
  private(set) var now = Self.start
  private var booted = Self.start
  private var resetID = 0
  private var boot = 1
  private var anchors: [ClockAnchor]

  init() {
    let reading = ClockReading(
      clock: BoardTick(resetID: 0, tick: 0), time: Self.start, error: .milliseconds(5))
    anchors = [ClockAnchor(reading, boot: 1, isHostTimeKnown: true)]
  }

  static func session(_ number: Int64 = 1, streams: [LoggedStream]) -> LogSession {
    var random = SeededGenerator(seed: UInt64(number))
    return LogSession(
      id: ULID(at: start + .seconds(number), using: &random), board: BoardID("c0ffee000001")!, started: start,
      streams: streams, boot: 1, resetID: 0, tick: 0)
  }

  mutating func pass(_ duration: Duration) { now = now + duration }

  mutating func reset() {
    (booted, resetID, boot) = (now, (resetID + 1) % 8, boot + 1)
  }

  /// `damage` is what its time is off by, and `reset` the number of another reset.
  mutating func entry(slot: UInt8, _ value: Int32, damage: UInt32 = 0, reset: UInt8? = nil) {
    entries.append(
      [slot, reset ?? UInt8(resetID)] + bytes(UInt32((now - booted).wholeMilliseconds) &+ damage)
        + bytes(value))
  }

  private func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// The looks at the clock: when the session began, and now.
  var looks: [ClockAnchor] {
    let tick = UInt32((now - booted).wholeMilliseconds)
    let reading = ClockReading(
      clock: BoardTick(resetID: resetID, tick: tick), time: now, error: .milliseconds(5))
    return anchors + [ClockAnchor(reading, boot: boot, isHostTimeKnown: true)]
  }

  func history() -> BoardHistory { BoardHistory(looks, timing: Self.format.timing) }

  func pieces(of size: Int = 512) -> [LogPiece] {
    stride(from: 0, to: entries.count, by: size).map { start in
      let part = entries[start..<min(entries.count, start + size)]
      let reading = looks.last?.reading.clock
      return LogPiece(position: start, count: part.count, entries: Array(part.joined()), reading: reading)
    }
  }
}

/// Pairs a stream's entries by their order.
private struct TestLogDecoder: LogDecoder {
  let streams: [LoggedStream]
  private var waiting: [(slot: Int, entry: [UInt8], isDoubtful: Bool)] = []

  init(streams: [LoggedStream], rest: [UInt8]) {
    self.streams = streams
    var ignored = DecodedLog()
    decode(rest.span.bytes, into: &ignored)
  }

  var rest: [UInt8] { waiting.flatMap(\.entry) }

  mutating func decode(_ entries: RawSpan, doubtful: ArraySlice<Int>, into decoded: inout DecodedLog) {
    for offset in stride(from: 0, to: entries.byteCount, by: TestLog.entrySize) {
      let entry = (0..<TestLog.entrySize).map {
        entries.unsafeLoad(fromByteOffset: offset + $0, as: UInt8.self)
      }
      let slot = Int(entry[0])
      guard let stream = streams.firstIndex(where: { $0.slots.contains(slot) }) else {
        decoded.unknown[slot, default: 0] += 1
        continue
      }
      waiting.append((slot, entry, doubtful.contains(offset / TestLog.entrySize)))
      let slots = streams[stream].slots
      guard slots.allSatisfy({ slot in waiting.contains { $0.slot == slot } }) else { continue }
      let start = decoded.values.count
      let sound = slots.compactMap { slot in waiting.first { $0.slot == slot && !$0.isDoubtful }?.entry }.last
      for slot in slots {
        guard let index = waiting.firstIndex(where: { $0.slot == slot }) else { continue }
        let bytes = waiting.remove(at: index).entry
        let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 6, as: Int32.self) }
        decoded.values.append(Double(value) / 100)
      }
      let believed = sound ?? entry
      guard let clock = TestLog.format.clock(believed.span.bytes, 0) else { continue }
      decoded.entries.append(
        .init(stream: stream, clock: clock, values: start..<decoded.values.count, isDoubtful: sound == nil))
    }
  }
}

extension SampleBatch {
  /// How long it is on the wire.
  static func bytes(_ batch: SampleBatch) -> Int { SampleCodec.record(batch, gateway: "gw").count }
}

extension LogGap {
  init(id: Int64, stream: String?, count: Int, reason: String) {
    self.init(id: id, stream: stream, from: nil, to: nil, count: count, reason: reason)
  }
}
