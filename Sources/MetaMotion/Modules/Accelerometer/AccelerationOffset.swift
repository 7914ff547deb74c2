/// What the accelerometer adds to its samples, in steps of 3.9 mg (protocol reference, sections 8.1 and 9.6).
enum AccelerationOffset {
  static let step = 0.0039
  /// The BMI160 keeps it together with the gyroscope's.
  static let bmi160 = Register(.accelerometer, 0x15)

  /// The nearest step; the chips go from -128 to 127.
  static func steps(_ g: Double) -> Int8 { Int8(clamping: Int((min(max(g, -1), 1) / step).rounded())) }

  /// The command for three steps. Bit 3 of the first byte switches them on.
  static func bmi270(_ steps: [Int8], isOn: Bool) -> [UInt8] {
    BMI270Features.offsets.write([isOn ? 0x08 : 0] + steps.map { UInt8(bitPattern: $0) })
  }
}
