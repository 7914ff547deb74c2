/// A detector of a chip: how it is switched on, where it tells, and how its settings are read.
struct AccelerometerFeature: Sendable {
  /// Registers of masks; one of `bits` must be set in each of them.
  let switches: [UInt8]
  let bits: UInt8
  /// The register that fires.
  let output: UInt8
  let make: @Sendable (ChipState) -> any MotionDetector

  func isOn(_ state: ChipState) -> Bool { switches.allSatisfy { state.mask($0) & bits != 0 } }
}

/// What an accelerometer's detectors read their settings from.
struct ChipState: Sendable {
  var registers: RegisterBank
  /// The BMI270's feature blocks.
  var blocks: [[UInt8]]
  /// Of the module.
  let revision: UInt8
  /// The range, in g.
  var fullScale: Double

  func mask(_ register: UInt8) -> UInt8 { registers.mask(register) }

  /// A byte of a setting; 0 for what does not exist.
  func byte(_ offset: Int, of register: UInt8) -> UInt8 {
    Self.byte(offset, of: registers.read(register) ?? [])
  }

  func byte(_ offset: Int, ofBlock index: Int) -> UInt8 {
    index < blocks.count ? Self.byte(offset, of: blocks[index]) : 0
  }

  /// A little-endian u16 in a block.
  func word(_ offset: Int, ofBlock index: Int) -> UInt16 {
    UInt16(byte(offset, ofBlock: index)) | UInt16(byte(offset + 1, ofBlock: index)) << 8
  }

  private static func byte(_ offset: Int, of bytes: [UInt8]) -> UInt8 {
    offset < bytes.count ? bytes[offset] : 0
  }
}

/// How a chip is told to look for steps.
struct StepFeature: Sendable {
  /// Register that fires for each step and, on the BMI270, for each watermark.
  let output: UInt8
  let detects: @Sendable (ChipState) -> Bool
  let counts: @Sendable (ChipState) -> Bool
  /// Tell the count each time it has grown by this; 0 for never.
  let watermark: @Sendable (ChipState) -> Int
  let pedometer: @Sendable (ChipState) -> Pedometer
}
