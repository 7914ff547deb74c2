import BoardKit

/// How samples lie in the packets of one register, as the protocol reference tables them: data, so that a sensor
/// declares it and one decoder reads it.
struct PacketLayout: Hashable, Sendable {
  /// How one number is written; all are little-endian.
  enum Number: UInt8, Hashable, Sendable {
    /// A byte that is 0 or not.
    case flag
    case uint8, int16, uint16, int32, uint32, float32

    var width: Int {
      switch self {
      case .flag, .uint8: 1
      case .int16, .uint16: 2
      case .int32, .uint32, .float32: 4
      }
    }
  }

  let number: Number
  /// Numbers per sample, 1–4.
  let count: Int
  /// What a number is multiplied by.
  let scale: Double
  /// Whether a byte of accuracy follows the numbers.
  let hasAccuracy: Bool
  /// Samples per packet; the last one was taken as the packet arrived.
  let samples: Int
  /// Where the first sample begins: behind the header, or behind an index.
  let offset: Int
  /// Bytes from one sample to the next.
  let stride: Int
  /// Bytes that a packet has at least, and with its samples.
  let length, fullLength: Int

  /// With `isOptional`, a packet may end after one byte, which then is no sample.
  init(
    _ number: Number, count: Int = 1, scale: Double = 1, hasAccuracy: Bool = false, samples: Int = 1,
    offset: Int = 2, isOptional: Bool = false
  ) {
    self.number = number
    self.count = min(max(count, 1), 4)
    self.scale = scale
    self.hasAccuracy = hasAccuracy
    self.samples = samples
    self.offset = offset
    stride = self.count * number.width + (hasAccuracy ? 1 : 0)
    fullLength = offset + samples * stride
    length = isOptional ? offset + 1 : fullLength
  }

  /// The same numbers, three samples to a packet.
  var packed: PacketLayout { PacketLayout(number, count: count, scale: scale, samples: 3) }

  /// The first sample of an answer; nil when it is too short. For what is read once, not for streams.
  func values(in reply: [UInt8]) -> [Double]? {
    guard reply.count >= fullLength else { return nil }
    var values = (0..<count).map { value(at: offset + $0 * number.width, in: reply) * scale }
    if hasAccuracy { values.append(Double(reply[offset + stride - 1])) }
    return values
  }

  private func value(at offset: Int, in reply: [UInt8]) -> Double {
    switch number {
    case .flag: reply[offset] == 0 ? 0 : 1
    case .uint8: Double(reply[offset])
    case .int16: Double(reply.number(at: offset, as: Int16.self) ?? 0)
    case .uint16: Double(reply.number(at: offset, as: UInt16.self) ?? 0)
    case .int32: Double(reply.number(at: offset, as: Int32.self) ?? 0)
    case .uint32: Double(reply.number(at: offset, as: UInt32.self) ?? 0)
    case .float32: Double(Float(bitPattern: reply.number(at: offset, as: UInt32.self) ?? 0))
    }
  }
}
