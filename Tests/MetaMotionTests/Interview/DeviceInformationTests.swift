import Testing

@testable import MetaMotion

struct DeviceInformationTests {
  private func device(hardware: String = "0.4", serial: [UInt8] = []) -> DeviceInformation {
    DeviceInformation(
      firmwareRevision: Array("1.7.3".utf8), modelNumber: Array("5".utf8),
      hardwareRevision: Array(hardware.utf8),
      manufacturer: Array("MbientLab Inc".utf8), serialNumber: serial)
  }

  @Test(arguments: ["0.4", "r0.4"])
  func `the hardware revision is written in two ways`(text: String) {
    #expect(device(hardware: text).hardwareRevision == "0.4")
  }

  @Test func `F89 what comes from the air is printable and bounded`() {
    #expect(device(serial: [0x1B] + Array("05\n5B9E".utf8) + [0xE2, 0x80, 0xAE]).serialNumber == "055B9E")
    #expect(device(serial: Array("055B9E".utf8) + [0, 0x41]).serialNumber == "055B9E")
    #expect(device(serial: Array(repeating: 0x41, count: 600)).serialNumber.utf8.count == 64)
  }
}
