import BoardKit
import FleetModel

/// What the BMI270 notices by itself: features with a bit, and a block of settings each (protocol reference, section
/// 9).
enum BMI270Features {
  static let enable = Register(.accelerometer, 0x06)
  static let interrupt = Register(.accelerometer, 0x07)
  static let block = Register(.accelerometer, 0x08)
  static let motion = Register(.accelerometer, 0x09)
  static let wrist = Register(.accelerometer, 0x0A)
  static let steps = Register(.accelerometer, 0x0B)
  static let activity = Register(.accelerometer, 0x0C)
  static let offsets = Register(.accelerometer, 0x10)
  static let downsampling = Register(.accelerometer, 0x11)

  /// The count; of the same register, told apart from steps by its length.
  static let stepCount = SensorSignal(
    name: "step-count", stream: "steps", title: "steps", register: steps,
    values: .init(number: .uint16, labels: ["steps"]))

  /// What has a canonical name of its own: flags as the chip writes them.
  static let signals: [SensorSignal] = [
    .flags("steps", stream: "steps", in: steps),
    .flags("bosch-motion", in: motion),
  ]

  /// Where each detector tells.
  static let registers: [String: Register] = [
    "any-motion": motion, "no-motion": motion, "significant-motion": motion, "wrist-gesture": wrist,
    "wrist-wakeup": wrist, "step": steps, "activity": activity,
  ]

  /// A feature by its bit.
  enum Feature: UInt8, Hashable, Sendable, CaseIterable {
    case significantMotion = 0x01
    case stepCounter = 0x02
    case activity = 0x04
    case wristWakeup = 0x08
    case wristGesture = 0x10
    case noMotion = 0x20
    case anyMotion = 0x40
    case stepDetector = 0x80

    /// Where it tells.
    var data: Register {
      switch self {
      case .significantMotion, .noMotion, .anyMotion: BMI270Features.motion
      case .wristWakeup, .wristGesture: BMI270Features.wrist
      case .stepCounter, .stepDetector: BMI270Features.steps
      case .activity: BMI270Features.activity
      }
    }
  }

  /// Switches features on: the interrupt first.
  static func on(_ bits: UInt8) -> [[UInt8]] {
    [interrupt.write(set: bits, clear: 0), enable.write(set: bits, clear: 0)]
  }

  /// Switches features off.
  static func off(_ bits: UInt8) -> [[UInt8]] {
    [interrupt.write(set: 0, clear: bits), enable.write(set: 0, clear: bits)]
  }

  /// Settings of any or no motion.
  struct Motion: Hashable, Sendable {
    /// Steps of 20 ms, 13 bits.
    var duration: UInt16
    /// Steps of 1/2048 g, 11 bits.
    var threshold: UInt16
    /// Bits 0–2.
    var axes: UInt8

    func bytes(above: UInt8 = 0) -> [UInt8] {
      [
        UInt8(truncatingIfNeeded: duration), UInt8(truncatingIfNeeded: duration >> 8) & 0x1F | axes << 5,
        UInt8(truncatingIfNeeded: threshold),
        UInt8(truncatingIfNeeded: threshold >> 8) & 0x07 | above & 0xF8,
      ]
    }
  }

  /// The chip starts with bits above the threshold of any motion, and they are kept (section 9.4).
  static func anyMotion(_ motion: Motion) -> [UInt8] { block.write([1] + motion.bytes(above: 0x38)) }
  static func noMotion(_ motion: Motion) -> [UInt8] { block.write([2] + motion.bytes()) }

  /// `size` in steps of 20 ms.
  static func significantMotion(size: UInt16) -> [UInt8] { block.write([3] + words([size])) }

  /// The number of the block with the step counter's watermark.
  static let watermarkBlock: UInt8 = 7

  /// The last parameter of the step counter stays as the chip has it; `level` counts in steps of 20, 1–1023.
  static func watermark(_ level: UInt16, resets: Bool = false) -> [UInt8] {
    block.write([watermarkBlock, 0x00, 0x0E] + words([level & 0x3FF | (resets ? 0x400 : 0)]))
  }

  static func wristGesture(isRight: Bool, peak: UInt16, samples: UInt16, longest: UInt16) -> [UInt8] {
    block.write([8, isRight ? 0x10 : 0, 0] + words([peak, samples, longest]))
  }

  /// Six angles: focus, non-focus, tilt, landscape, portrait down, portrait up.
  static func wristWakeup(_ angles: [UInt16]) -> [UInt8] { block.write([9] + words(angles)) }

  static let wakeupAngles: [UInt16] = [0x05A8, 0x06EE, 0x0400, 0x02BC, 0x00B3, 0x0785]

  private static func words(_ numbers: [UInt16]) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in numbers { bytes.append(number: number) }
    return bytes
  }
}
