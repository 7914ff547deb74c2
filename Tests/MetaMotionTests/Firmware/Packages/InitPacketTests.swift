import FleetModel
import Testing

@testable import MetaMotion

@Suite struct InitPacketTests {
  private static let head: [UInt8] = [0x52, 0, 4, 0, 3, 7, 1, 0, 2, 0, 0xA8, 0, 0xFE, 0xFF]

  /// As `adafruit-nrfutil` 0.5.3 writes it (DFU reference 1.4).
  @Test func `a packet is read field by field`() throws {
    let packet = try InitPacket(Self.head + [0xF0, 0xC8])
    #expect(packet.deviceType == 0x52 && packet.deviceRevision == 4 && packet.applicationVersion == 0x10703)
    #expect(packet.softDevices == [0xA8, 0xFFFE])
    #expect(packet.promise == .checksum(0xC8F0))
  }

  @Test func `what is promised of an image is compared with it`() throws {
    let image = Array("123456789".utf8)
    #expect(try InitPacket(Self.head + [0xB1, 0x29]).contradiction(to: image) == nil)
    #expect(try InitPacket(Self.head + [0xB2, 0x29]).contradiction(to: image) != nil)
    let digest = [1, 0, 0, 0, 9, 0, 0, 0] + SHA256.digest(of: image)
    let packet = try InitPacket(Self.head + digest)
    #expect(packet.promise == .digest(length: 9, SHA256.digest(of: image), isSigned: false))
    #expect(packet.contradiction(to: image) == nil && packet.contradiction(to: image + [0]) != nil)
    let signed = try InitPacket(Self.head + [2] + digest.dropFirst() + [UInt8](repeating: 7, count: 64))
    #expect(signed.promise == .digest(length: 9, SHA256.digest(of: image), isSigned: true))
  }

  @Test func `a form that nobody knows is the bootloader's to judge`() throws {
    for rest in [[], [1], [1, 2, 3], [3, 0, 0, 0] + [UInt8](repeating: 0, count: 36)] as [[UInt8]] {
      let packet = try InitPacket(Self.head + rest)
      #expect(packet.promise == .unknown && packet.contradiction(to: [1]) == nil)
    }
  }

  /// As `adafruit-nrfutil` 0.5.3 writes it with `--dfu-ver 0.6`.
  @Test func `F266 a checksum that bootloaders look for elsewhere is refused before the old image is gone`() {
    let failure = #expect(throws: FirmwarePackage.Unusable.self) {
      try InitPacket(Self.head + [0, 0, 0, 0, 0xB1, 0x29])
    }
    #expect(failure?.description.contains("in a form that no bootloader of a MetaMotion reads") == true)
  }

  @Test(arguments: [0, 1, 2, 9, 129, 200])
  func `D13 what no bootloader of a MetaMotion takes is refused`(count: Int) {
    #expect(throws: FirmwarePackage.Unusable.self) { try InitPacket([UInt8](repeating: 0, count: count)) }
  }

  @Test func `D13 a packet that announces more than it has is refused`() {
    #expect(throws: FirmwarePackage.Unusable("its init packet ends in the middle")) {
      try InitPacket([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
    }
  }

  @Test func `checksums agree with those of another program`() throws {
    let vectors = try VectorCase.cases(of: "dfu").filter { $0.expect["crc"] != nil }
    #expect(vectors.count == 3)
    for vector in vectors {
      #expect(Int64(ImageChecksum.of(vector.inject[0])) == vector.expect["crc"]?.integer, "\(vector.name)")
    }
  }
}
