/// What differs between the two accelerometers: where registers lie and how a range is encoded.
struct AccelerometerChip: Sendable {
  /// Register that carries three samples per packet; nil where the firmware lacks it.
  let packed: UInt8?
  let streams: Set<UInt8>
  let masks: Set<UInt8>
  /// Configurations with their defaults, the data configuration (register 03) among them.
  let settings: [UInt8: [UInt8]]
  /// Blocks behind one register, chosen by the first payload byte.
  let blocks: (register: UInt8, defaults: [[UInt8]])?
  let features: [AccelerometerFeature]
  let steps: StepFeature
  /// Reads the count of steps, a u16.
  let stepCounter: UInt8
  let offsets: Offsets
  /// Where the host's own offsets lie, and the bit that switches them on.
  let compensation: Compensation
  let ranges: [UInt8: Double]

  /// Zero-g offset and noise of the part, in g.
  struct Offsets: Sendable {
    let spread: Double
    let noise: Double
  }

  struct Compensation: Sendable {
    let register: UInt8
    let firstAxis: Int
    let flags: Int
    let enabled: UInt8
    /// 3.9 mg on both chips.
    static let gPerBit = 0.0039
  }

  /// What the host adds to every sample, in g.
  func compensation(_ registers: RegisterBank) -> SIMD3<Double> {
    guard let bytes = registers.read(compensation.register),
      bytes[compensation.flags] & compensation.enabled != 0
    else { return .zero }
    func axis(_ index: Int) -> Double {
      Double(Int8(bitPattern: bytes[compensation.firstAxis + index])) * Compensation.gPerBit
    }
    return [axis(0), axis(1), axis(2)]
  }

  /// LSB per g; an unknown range byte means the smallest range, as the chip takes it.
  func scale(rangeByte: UInt8) -> Double { ranges[rangeByte] ?? 16384 }
}
