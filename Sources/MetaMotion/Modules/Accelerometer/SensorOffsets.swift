import BoardKit
import FleetModel

/// What a chip adds to the samples of one sensor: three numbers of steps and a switch, and the packets that set and
/// read them (protocol reference, sections 8.1, 9.6 and 22). The chips keep them in different places.
struct SensorOffsets: Hashable, Sendable {
  let sensor: SensorCommand.Shifted
  let chip: Accelerometer.Chip

  /// The register that holds them, among others on the BMI160.
  var register: Register {
    switch (chip, sensor) {
    case (.bmi160, _): AccelerationOffset.bmi160
    case (.bmi270, .acceleration): BMI270Features.offsets
    case (.bmi270, .angularVelocity): Gyroscope.offsetRegister
    }
  }

  /// g or degrees per second per step.
  var step: Double { sensor == .acceleration ? AccelerationOffset.step : 0.061 }
  private var limits: ClosedRange<Int> { sensor == .acceleration ? -128...127 : -512...511 }
  /// How many bytes the register has.
  var length: Int { chip == .bmi160 ? 7 : 4 }

  /// Steps for a shift; nil when the chip cannot shift so far.
  func steps(_ value: Double) -> Int? {
    guard value.isFinite, abs(value) < 1000 else { return nil }
    let steps = Int((value / step).rounded())
    return limits.contains(steps) ? steps : nil
  }

  /// What the register shall hold; `held` is what it holds, whose other bits stay.
  func bytes(x: Int, y: Int, z: Int, isOn: Bool, onBoard: [UInt8]) -> [UInt8] {
    var bytes = Array(onBoard.prefix(length)) + [UInt8](repeating: 0, count: max(0, length - onBoard.count))
    let low = [x, y, z].map { UInt8(truncatingIfNeeded: $0) }
    let isRotation = sensor == .angularVelocity
    if chip == .bmi270, !isRotation { return [isOn ? 0x08 : 0] + low }
    let first = chip == .bmi160 && isRotation ? 3 : 0
    bytes.replaceSubrange(first..<first + 3, with: low)
    // The last byte: two high bits per axis of the gyroscope, bit 6 for the accelerometer, bit 7 for the gyroscope; on
    // the BMI270, where the gyroscope has it alone, bit 6.
    let last = length - 1
    let enable: UInt8 = chip == .bmi160 && isRotation ? 0x80 : 0x40
    bytes[last] = bytes[last] & ~enable | (isOn ? enable : 0)
    guard isRotation else { return bytes }
    let high = [x, y, z].enumerated().reduce(UInt8(0)) { bits, axis in
      bits | (UInt8(truncatingIfNeeded: axis.element >> 8) & 0x03) << (2 * axis.offset)
    }
    bytes[last] = bytes[last] & 0xC0 | high
    return bytes
  }
}
