import BoardKit
import FleetModel

/// Registers of what the BMI270 notices by itself (protocol reference, section 9).
enum BMI270Meanings {
  static let registers: [RegisterMeaning] = [
    .mask(0x06, "features", features), .mask(0x07, "interrupts of features", features),
    RegisterMeaning(
      number: 0x08, name: "settings of a feature", write: block, question: { $0.choice("block", blocks) },
      answer: block),
    .signal(0x09, "motion") { reader in
      reader.noticed(by: .motion270([.anyMotion, .noMotion, .significantMotion]))
    },
    .signal(0x0A, "wrist") { $0.noticed(by: .wrist([.wristGesture, .wristWakeup])) },
    RegisterMeaning(
      number: 0x0B, name: "steps", write: RegisterMeaning.subscription, question: RegisterMeaning.nothing,
      answer: BMI270Features.stepCount.sample,
      notification: { reader in
        if reader.rest.count == 1 { reader.flag("step") } else { BMI270Features.stepCount.sample(&reader) }
      }),
    .signal(0x0C, "activity") { $0.noticed(by: .activity) },
    .setting(0x10, "offsets") { reader in
      reader.parts(.unused(3), .init("offsets", 1, ["off", "on"]))
      for axis in ["x", "y", "z"] { reader.scaled(axis, Int8.self, per: 1000 / 3.9, "g") }
    },
    .setting(0x11, "downsampling") { reader in
      reader.parts(
        .init("gyroscope, exponent", 3), .init("gyroscope", 1, ["unfiltered", "filtered"]),
        .init("accelerometer, exponent", 3), .init("accelerometer", 1, ["unfiltered", "filtered"]))
    },
  ]

  private static let features = [
    "significant motion", "step counter", "activity", "wrist wake-up", "wrist gesture", "no motion",
    "any motion", "step detector",
  ]

  private static let blocks = [
    "axes", "any motion", "no motion", "significant motion", "steps 1–8", "steps 9–16", "steps 17–24",
    "steps 25 and watermark", "wrist gesture", "wrist wake-up",
  ]

  private static let block: RegisterMeaning.Layout = { reader in
    let number = reader.rest.first
    reader.choice("block", blocks)
    switch number {
    case 0: axes(&reader)
    case 1, 2: motion(&reader)
    case 3: reader.scaled("duration", UInt16.self, per: 0.05, "ms")
    case 7: steps(&reader)
    case 8:
      reader.parts(.unused(4), .init("arm", 1, ["left", "right"]))
      reader.skip(1)
      for name in ["peak", "samples", "longest"] { reader.number(name, UInt16.self) }
    case 9:
      for name in ["focus", "non-focus", "tilt", "landscape", "portrait down", "portrait up"] {
        reader.number(name, UInt16.self)
      }
    default: reader.bytes("settings")
    }
  }

  private static func axes(_ reader: inout PayloadReader) {
    guard let bits = reader.rest.number(at: 0, as: UInt16.self) else { return reader.bytes("settings", 2) }
    for (place, axis) in ["x", "y", "z"].enumerated() {
      let source = Int(bits >> (3 * place))
      reader.add("\(axis) is", .string((source & 4 != 0 ? "-" : "") + Axes.name(source & 3)))
    }
    reader.skip(2)
  }

  private static func motion(_ reader: inout PayloadReader) {
    guard reader.rest.count >= 4 else { return reader.bytes("settings", 4) }
    let bytes = reader.rest
    let duration = UInt16(bytes[0]) | UInt16(bytes[1] & 0x1F) << 8
    let threshold = UInt16(bytes[2]) | UInt16(bytes[3] & 0x07) << 8
    reader.add("duration", .integer(Int64(duration) * 20), "ms")
    let axes = (0..<3).filter { bytes[1] >> (5 + $0) & 1 == 1 }.map(Axes.name)
    reader.add("axes", .string(axes.isEmpty ? "none" : axes.joined()))
    reader.add("threshold", .number((Double(threshold) / 2048 * 1e5).rounded() / 1e5), "g")
    reader.skip(4)
  }

  private static func steps(_ reader: inout PayloadReader) {
    guard let level = reader.rest.number(at: 2, as: UInt16.self) else { return reader.bytes("settings", 4) }
    reader.bytes("parameter 25", 2)
    reader.add("watermark", .integer(Int64(level & 0x3FF) * 20), "steps")
    reader.add("counter", .string(level & 0x400 != 0 ? "back to zero" : "goes on"))
    reader.skip(2)
  }
}
