internal import FleetModel

/// The samples of a batch as they lie in their column, in a tenth of the room that JSON takes. Pure.
///
/// Times come first: microseconds, each by how much its distance from the one before differs from the distance before;
/// the first one lies beside.
/// Then field after field, each value by how much it differs from the one before, in units of the field's last
/// published digit. All of that are whole numbers of as many bytes as they need. What is published is what is read
/// back, digit by digit; values that are no such numbers lie there bit by bit.
struct KeptSamplesCoding {
  /// How the values lie there; the first byte.
  private enum Form: UInt8 { case digits = 1, bits }

  private static let largest = 1e15

  static func encode(_ batch: SampleBatch) -> [UInt8] {
    let scales = batch.fields.map(scale)
    let width = batch.fields.count
    let isPlain = batch.values.indices.allSatisfy { abs(batch.values[$0] * scales[$0 % width]) < largest }
    var bytes = [isPlain ? Form.digits.rawValue : Form.bits.rawValue]
    bytes.reserveCapacity(batch.count * (width * 2 + 2) + 16)
    var (last, step): (Int64, Int64) = (batch.times.first?.microseconds ?? 0, 0)
    for time in batch.times {
      let next = time.microseconds &- last
      append(next &- step, to: &bytes)
      (last, step) = (time.microseconds, next)
    }
    for field in 0..<width {
      var last: Int64 = 0
      for index in stride(from: field, to: batch.values.count, by: width) {
        let value = batch.values[index]
        let next =
          isPlain ? Int64((value * scales[field]).rounded()) : Int64(bitPattern: value.bitPattern)
        append(next &- last, to: &bytes)
        last = next
      }
    }
    return bytes
  }

  /// The times and values of so many samples, the first one at `first`; nil for what no `encode` has made.
  static func decode(
    _ bytes: [UInt8], count: Int, first: Timestamp, fields: [StreamDefinition.Field]
  ) -> (times: [Timestamp], values: [Double])? {
    guard let form = bytes.first.flatMap(Form.init), count <= bytes.count else { return nil }
    var position = 1
    var (last, step): (Int64, Int64) = (first.microseconds, 0)
    var times: [Timestamp] = []
    for _ in 0..<count {
      guard let difference = next(in: bytes, at: &position) else { return nil }
      step = step &+ difference
      last = last &+ step
      times.append(Timestamp(nanoseconds: last &* 1_000))
    }
    var values = [Double](repeating: 0, count: count * fields.count)
    for (index, field) in fields.enumerated() {
      var last: Int64 = 0
      let scale = scale(of: field)
      for sample in 0..<count {
        guard let difference = next(in: bytes, at: &position) else { return nil }
        last = last &+ difference
        values[sample * fields.count + index] =
          form == .digits ? Double(last) / scale : Double(bitPattern: UInt64(bitPattern: last))
      }
    }
    return position == bytes.count ? (times, values) : nil
  }

  private static func scale(of field: StreamDefinition.Field) -> Double {
    (0..<min(max(0, field.decimals), 6)).reduce(1.0) { power, _ in power * 10 }
  }

  /// Small numbers of either sign become small ones without, seven bits a byte.
  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: number &<< 1 ^ number &>> 63)
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private static func next(in bytes: [UInt8], at position: inout Int) -> Int64? {
    var (rest, shift): (UInt64, UInt64) = (0, 0)
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      rest |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1) }
      shift += 7
    }
    return nil
  }
}
