import BoardKit
import FleetModel

@testable import MetaMotion

/// What the BMI270 notices by itself, the steps it counts, and what its samples are adjusted by.
struct BMI270Phrases: VectorArea {
  private let board: Inventory

  init(on board: Inventory) { self.board = board }

  private static let features: [String: BMI270Features.Feature] = [
    "activity": .activity, "step detector": .stepDetector, "step counter": .stepCounter,
    "wrist wake-up": .wristWakeup, "significant motion": .significantMotion,
  ]

  func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    guard board.accelerometer?.chip == .bmi270 else { return false }
    if let match = phrase.wholeMatch(of: #/(enable|disable) (.+?)(?: detection)?/#),
      let feature = Self.features[String(match.2)]
    {
      let bits = feature.rawValue
      stage.writes += match.1 == "enable" ? BMI270Features.on(bits) : BMI270Features.off(bits)
      return true
    }
    if let subscription = SubscriptionPhrase(phrase) {
      guard subscription.signal == "step detector (BMI270)" else { return false }
      return stage.write(subscription.command(BMI270Features.steps))
    }
    switch phrase {
    case "read step counter": return stage.write(BMI270Features.steps.read())
    case "no-motion: duration 5 (100 ms), threshold 0x00AA, all axes":
      return stage.write(BMI270Features.noMotion(.init(duration: 5, threshold: 0xAA, axes: 7)))
    case "no-motion: duration 5, threshold 0xAA, no axes":
      return stage.write(BMI270Features.noMotion(.init(duration: 5, threshold: 0xAA, axes: 0)))
    case "significant motion block size 250":
      return stage.write(BMI270Features.significantMotion(size: 250))
    case "wrist gesture: right arm, min flick peak 0x1234, min flick samples 0x00AB, max duration 0x0200":
      return stage.write(
        BMI270Features.wristGesture(isRight: true, peak: 0x1234, samples: 0xAB, longest: 0x200))
    case "wrist gesture: left arm, peak 0x0332, samples 0x0050, duration 0x0064":
      return stage.write(
        BMI270Features.wristGesture(isRight: false, peak: 0x332, samples: 0x50, longest: 0x64))
    case "wrist wake-up with six parameters 1,2,3,4,5,6":
      return stage.write(BMI270Features.wristWakeup([1, 2, 3, 4, 5, 6]))
    case "activity notification", "wrist notification": return true
    default: return try adjust(phrase, &stage)
    }
  }

  private func adjust(_ phrase: String, _ stage: inout VectorStage) throws -> Bool {
    switch phrase {
    case "axis remap XYZ, no sign inversion":
      return stage.write(try NotUnderstood.unless(AxisOrder("xyz")).command)
    case "axis remap YXZ (x from y, y from x), only z inverted":
      return stage.write(try NotUnderstood.unless(AxisOrder("yx-z")).command)
    case "acceleration offsets x=1 y=2 z=-1 in units of 3.9 mg":
      return stage.write(
        AccelerationOffset.bmi270([0.0039, 0.0078, -0.0039].map(AccelerationOffset.steps), isOn: true))
    case "set FIFO downsampling: gyro 7, accel 7, both filters on":
      return stage.write(Downsampling(acceleration: 7, gyroscope: 7, isFiltered: true).command)
    case "set FIFO downsampling: both filters on, factors 0":
      return stage.write(Downsampling(acceleration: 0, gyroscope: 0, isFiltered: true).command)
    case "set FIFO downsampling: all off":
      return stage.write(Downsampling(acceleration: 0, gyroscope: 0, isFiltered: false).command)
    default: return false
    }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    guard board.accelerometer?.chip == .bmi270, packet.first == 0x03 else { return nil }
    switch packet[1] {
    case 0x0A:
      return try board.notice(packet, streaming: "wrist-gesture").map { type, fields in
        let gestures = ["flick-out": "arm flick out"]
        return .value([
          "gesture_code": fields["code"] ?? .null, "gesture": .string(gestures[type] ?? type),
          "type_bits": .integer(Int64(packet[2] & 3)),
        ])
      }
    case 0x0B:
      // Trap T25: by its length, this is a count.
      return try board.hear(packet, streaming: "steps")
    case 0x0C: return try board.notice(packet, streaming: "activity").map { .value(.string($0.type)) }
    default: return nil
    }
  }
}
