import BoardKit

/// Equal numbers side by side: what a signal carries per sample (protocol reference, section 29).
struct Numbers: Hashable, Sendable {
  /// What is measured, by the suffix that field keys and parameters carry (MQTT contract 2.5, 3.8).
  enum Unit: String, Sendable, CaseIterable {
    case none = ""
    case g, dps, ut, pa, m, c, pct, lx, mv, deg
  }

  /// How many.
  var channels = 1
  /// Bytes of each, 1–4.
  var width: Int
  var isSigned = false
  /// Whether they are IEEE 754 numbers; those no processor can compute with.
  var isFloat = false
  /// Whether the highest byte comes first, as devices on buses have it; with those no processor can compute either.
  var isBigEndian = false
  /// Counts per unit; the processors know counts alone (protocol reference, section 14.2).
  var scale = 1.0
  var unit = Unit.none

  /// Bytes of one sample.
  var byteCount: Int { channels * width }

  /// Unsigned whole numbers without a unit.
  static func plain(_ width: Int, channels: Int = 1, isSigned: Bool = false) -> Numbers {
    Numbers(channels: channels, width: width, isSigned: isSigned)
  }

  /// The same counts, stripped of their meaning.
  var withoutUnit: Numbers {
    var numbers = self
    (numbers.scale, numbers.unit) = (1, .none)
    return numbers
  }

  /// What a processor is told for `value`: whole counts, cut off like the vendor's hosts do, held in 32 bits.
  func counts(_ value: Double) -> Int64 {
    let counts = (value * scale).rounded(.towardZero)
    guard counts.isFinite else { return 0 }
    return Int64(min(max(counts, Double(Int32.min)), Double(UInt32.max)))
  }

  /// The values in the bytes from `offset` on; nil when they do not all lie inside.
  func values(in bytes: [UInt8], at offset: Int) -> [Double]? {
    guard (1...4).contains(width), offset >= 0, bytes.count - offset >= byteCount else { return nil }
    // Multiplied like packets of sensors are, so that both ways yield the very same numbers.
    let unit = 1 / scale
    return (0..<channels).map { channel in
      let start = offset + channel * width
      let raw = (0..<width).reduce(UInt32(0)) {
        $0 << 8 | UInt32(bytes[start + (isBigEndian ? $1 : width - 1 - $1)])
      }
      if isFloat { return Double(Float(bitPattern: raw)) * unit }
      guard isSigned else { return Double(raw) * unit }
      let shift = 32 - 8 * width
      return Double(Int32(bitPattern: raw << shift) >> shift) * unit
    }
  }
}
