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
  /// u16 that reads 0 until steps are simulated.
  let stepCounter: UInt8
  let offsets: Offsets
  let ranges: [UInt8: Double]

  /// Zero-g offset and noise of the part, in g.
  struct Offsets: Sendable {
    let spread: Double
    let noise: Double
  }

  /// LSB per g; an unknown range byte means the smallest range, as the chip takes it.
  func scale(rangeByte: UInt8) -> Double { ranges[rangeByte] ?? 16384 }
}
