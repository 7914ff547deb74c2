/// How the BMI270 swaps and turns round its axes (protocol reference 9.4, index 0).
struct AxisRemap: Sendable, Equatable {
  private let sources: [Int]
  private let signs: [Double]

  /// Two bytes: for each axis two bits of source and one of sign. Source 3 does not exist, and is the axis itself.
  init(_ bytes: [UInt8]) {
    let bits = UInt16(littleEndian: bytes) ?? 0
    sources = (0..<3).map { axis in
      let source = Int(bits >> UInt16(3 * axis) & 0x03)
      return source < 3 ? source : axis
    }
    signs = (0..<3).map { bits >> UInt16(3 * $0 + 2) & 0x01 == 0 ? 1 : -1 }
  }

  func applied(to vector: SIMD3<Double>) -> SIMD3<Double> {
    [vector[sources[0]] * signs[0], vector[sources[1]] * signs[1], vector[sources[2]] * signs[2]]
  }
}
