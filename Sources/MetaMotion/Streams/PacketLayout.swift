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

    var isSigned: Bool { self == .int16 || self == .int32 }
  }

  // Bytes, because a decoder takes a layout along for every packet.
  let number: Number
  /// Whether a byte of accuracy follows the numbers.
  let hasAccuracy: Bool
  private let counted, sampled, begun, strided, least, whole: UInt8
  /// What a number is multiplied by.
  let scale: Double

  /// Numbers per sample, 1–4.
  var count: Int { Int(counted) }
  /// Samples per packet; the last one was taken as the packet arrived.
  var samples: Int { Int(sampled) }
  /// Where the first sample begins: behind the header, or behind an index.
  var offset: Int { Int(begun) }
  /// Bytes from one sample to the next.
  var stride: Int { Int(strided) }
  /// Bytes that a packet has at least, and with its samples.
  var length: Int { Int(least) }
  var fullLength: Int { Int(whole) }

  /// With `isOptional`, a packet may end after one byte, which then is no sample.
  init(
    _ number: Number, count: Int = 1, scale: Double = 1, hasAccuracy: Bool = false, samples: Int = 1,
    offset: Int = 2, isOptional: Bool = false
  ) {
    self.number = number
    self.scale = scale
    self.hasAccuracy = hasAccuracy
    let count = min(max(count, 1), 4)
    let stride = count * number.width + (hasAccuracy ? 1 : 0)
    let length = offset + samples * stride
    counted = UInt8(count)
    sampled = UInt8(clamping: samples)
    begun = UInt8(clamping: offset)
    strided = UInt8(clamping: stride)
    whole = UInt8(clamping: length)
    least = isOptional ? UInt8(clamping: offset + 1) : UInt8(clamping: length)
  }

  /// The same numbers, three samples to a packet.
  var packed: PacketLayout { PacketLayout(number, count: count, scale: scale, samples: 3) }
}
