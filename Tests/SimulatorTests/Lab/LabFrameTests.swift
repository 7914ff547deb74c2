import BoardKit
import FleetModel
import Testing

@testable import Simulator

/// Bytes as Tests/BlueZLab/README.md describes them.
@Suite struct LabFrameTests {
  private static let uuid = "326a900185cb9195d9dd464cfbbae75a"
  private static let command = MetaMotionAttributes.command.uuid

  @Test(
    arguments: [
      ("01 01 0004 c0ffee000005 4d6574615765 6172", .hello(BluetoothAddress(rawValue: 0xC0FF_EE00_0005))),
      ("02 112233445566", .connected), ("03 13", .disconnected),
      ("04 \(uuid) 00 0380", .write([3, 0x80], to: command, .command)),
      ("04 \(uuid) 01", .write([], to: command, .request)),
      ("05 00010203 \(uuid)", .read(command, number: 0x0001_0203)),
      ("06 \(uuid) 01", .subscribe(command, true)), ("06 \(uuid) 00", .subscribe(command, false)),
      ("07 00f7", .other), ("7f", .other),
    ] as [(String, LabFrame.FromLab)])
  func `what the laboratory says is understood`(bytes: String, frame: LabFrame.FromLab) {
    #expect(LabFrame.FromLab([UInt8](hex: bytes)) == frame)
  }

  @Test(arguments: ["", "01 01 0004 c0ffee0000", "04 \(uuid)", "05 00010203 326a", "05", "06 \(uuid)"])
  func `a frame that is too short is none`(bytes: String) {
    #expect(LabFrame.FromLab([UInt8](hex: bytes)) == nil)
  }

  @Test(
    arguments: [
      (.notify(command, [1, 2]), "00000013 81 \(uuid) 0102"),
      (.value([], number: 7), "00000006 82 00000007 00"),
      (.value([0x35], number: 0x0102_0304), "00000007 82 01020304 00 35"),
      (.refused(.readNotPermitted, number: 1), "00000006 82 00000001 02"),
      (.unknown(number: 1), "00000006 82 00000001 ff"), (.disconnect(reason: 8), "00000002 83 08"),
      (.advertise(true), "00000002 84 01"), (.advertise(false), "00000002 84 00"),
    ] as [(LabFrame.FromBoard, String)])
  func `what a board says is written`(frame: LabFrame.FromBoard, bytes: String) {
    #expect(frame.bytes == [UInt8](hex: bytes))
  }

  @Test func `a UUID of 16 bits travels in full`() {
    let uuid = AttributeUUID(assigned: 0x2A24)
    #expect(uuid.bytes == [UInt8](hex: "00002a2400001000800000805f9b34fb"))
    #expect(AttributeUUID(bytes: uuid.bytes[...]) == uuid)
  }
}
