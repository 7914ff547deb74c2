import BoardKit
import FleetModel

/// Acceleration as MetaMotion boards log it: entries of nine bytes, two per sample. Not the product's decoder, which is
/// measured by `decode`, but one that does no less.
struct BenchmarkLog {
  static let entrySize = 9
  static let stream = LoggedStream(
    name: "acceleration",
    fields: ["ax_g", "ay_g", "az_g"].map { StreamDefinition.Field($0, "g", decimals: 5) }, slots: [0, 1],
    layout: [], configuration: ["rate_hz": 100, "range_g": 4])
  static let format = LogFormat(
    entrySize: entrySize, timing: BoardTiming(nanoseconds: 48_000_000_000, perTicks: 32_768, resetIDs: 8),
    clock: { bytes, offset in
      guard offset + entrySize <= bytes.byteCount else { return nil }
      let head = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      return BoardTick(
        resetID: Int(head >> 5), tick: bytes.unsafeLoadUnaligned(fromByteOffset: offset + 1, as: UInt32.self))
    }, makeDecoder: { _, rest in Decoder(first: rest) })

  private struct Decoder: LogDecoder {
    var first: [UInt8]
    var rest: [UInt8] { first }

    mutating func decode(_ entries: RawSpan, doubtful: ArraySlice<Int>, into decoded: inout DecodedLog) {
      for offset in stride(from: 0, to: entries.byteCount, by: entrySize) {
        let low = entries.unsafeLoadUnaligned(fromByteOffset: offset + 5, as: Int16.self)
        let high = entries.unsafeLoadUnaligned(fromByteOffset: offset + 7, as: Int16.self)
        if entries.unsafeLoad(fromByteOffset: offset, as: UInt8.self) & 31 == 0 {
          first = (0..<entrySize).map { entries.unsafeLoad(fromByteOffset: offset + $0, as: UInt8.self) }
          decoded.values.append(Double(low) / 8_192)
          decoded.values.append(Double(high) / 8_192)
        } else if let clock = format.clock(entries, offset) {
          first.removeAll(keepingCapacity: true)
          decoded.values.append(Double(low) / 8_192)
          let end = decoded.values.count
          decoded.entries.append(.init(stream: 0, clock: clock, values: end - 3..<end))
        }
      }
    }
  }

  /// Entries of so many samples at 100 Hz from the one numbered `first` on.
  static func entries(_ samples: Int, from first: Int) -> [UInt8] {
    var entries: [UInt8] = []
    entries.reserveCapacity(samples * 2 * entrySize)
    for number in first..<first + samples {
      let tick = UInt32(number) * 6_827 / 1_000
      for slot in 0..<2 as Range<UInt8> {
        entries.append(5 << 5 | slot)
        withUnsafeBytes(of: tick.littleEndian) { entries += $0 }
        let low = Int16(truncatingIfNeeded: number &* 37 &+ Int(slot) &* 11)
        let high: Int16 = slot == 0 ? 8_000 : 0
        withUnsafeBytes(of: low.littleEndian) { entries += $0 }
        withUnsafeBytes(of: high.littleEndian) { entries += $0 }
      }
    }
    return entries
  }
}
