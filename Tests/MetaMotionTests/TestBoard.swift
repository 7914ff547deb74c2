import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// A board as it answers an interview; replies of boards with current firmware (protocol reference, section 3.3).
struct TestBoard: Sendable, CustomTestStringConvertible {
  var modelNumber: String
  var firmware = "1.7.3"
  var hardware = "r0.4"
  var replies: [Module: [UInt8]]

  var testDescription: String { "model \(modelNumber), accelerometer \(replies[.accelerometer]?.hex ?? "?")" }

  /// The answer to `0B 84`: tick 0x0415, reset 5.
  let clock: [UInt8] = [0x0B, 0x84, 0x15, 0x04, 0x00, 0x00, 0x05]

  static let metaMotionS = TestBoard(
    modelNumber: "8",
    replies: replies(
      "01800000 02800001030600 03800400 0480010000030102 0580000203030303030301 07800000 08800000 098000031c "
        + "0a8000001c 0b800003080000fb030002 0c80000008 0d800001 0f8000020800 1180000a0700 12800000 13800100 14800000 "
        + "15800002 1680 198000030300060002000100 fe80000603"))
  static let metaMotionRL = TestBoard(
    modelNumber: "5",
    replies: replies(
      "01800000 02800001030600 03800102 04800100000301 05800002030303030303 07800000 08800000 098000031c 0a8000001c "
        + "0b800003080000100000 0c80000008 0d800001 0f8000020800 1180000a0300 1280 13800001 1480 15800002 1680 "
        + "198000030300060002000100 fe80000603"))
  /// The oldest table the vendor's tests hold: no packed data but for the BMI160's, no power states.
  static let metaMotionR = TestBoard(
    modelNumber: "5",
    replies: replies(
      "01800000 02800000 03800101 0480010000030102 058000010303030301 07800000 08800000 098000001c 0a8000001c "
        + "0b80000208802b0000 0c80000008 0d800001 0f80000108 11800003 12800000 13800001 14800000 15800001 1680 "
        + "198000000300060002000100 fe800002"))

  static let all = [metaMotionR, metaMotionRL, metaMotionS]

  /// This board with other information for some modules.
  func with(_ hex: String) -> TestBoard {
    var board = self
    board.replies.merge(Self.replies(hex)) { $1 }
    return board
  }

  private static func replies(_ hex: String) -> [Module: [UInt8]] {
    var replies: [Module: [UInt8]] = [:]
    for reply in hex.split(separator: " ").map({ bytes(String($0)) }) {
      if let module = Module(rawValue: reply[0]) { replies[module] = reply }
    }
    return replies
  }

  var deviceInformation: [(Characteristic, [UInt8])] {
    [
      (Attributes.firmwareRevision, Array(firmware.utf8)), (Attributes.modelNumber, Array(modelNumber.utf8)),
      (Attributes.hardwareRevision, Array(hardware.utf8)),
      (Attributes.manufacturer, Array("MbientLab Inc".utf8)),
      (Attributes.serialNumber, Array("055B9E".utf8)),
    ]
  }

  var device: DeviceInformation {
    DeviceInformation(
      firmwareRevision: Array(firmware.utf8), modelNumber: Array(modelNumber.utf8),
      hardwareRevision: Array(hardware.utf8), manufacturer: Array("MbientLab Inc".utf8),
      serialNumber: Array("055B9E".utf8))
  }

  /// What an earlier interview would have left.
  var memory: [UInt8] { InterviewMemory(device: device, replies: replies).encoded }

  func inventory() throws -> Inventory {
    try Inventory(device: device, modules: replies.compactMapValues(ModuleInfo.decode))
  }
}

/// The bytes a string of hexadecimal digits stands for; spaces are for the eye.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.filter { !$0.isWhitespace }
  return stride(from: 0, to: digits.count - 1, by: 2).compactMap { offset in
    let start = digits.index(digits.startIndex, offsetBy: offset)
    return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
  }
}
