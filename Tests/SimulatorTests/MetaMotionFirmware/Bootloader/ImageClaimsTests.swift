import FleetModel
import Testing

@testable import Simulator

struct ImageClaimsTests {
  private let image = TestImage.bytes(40)

  @Test func `A packet that somebody else's tool made is read`() throws {
    let claims = try #require(ImageClaims([UInt8](hex: "5200 0400 03070100 0200 A800 FEFF F0C8")))
    #expect(claims.deviceType == 0x52 && claims.deviceRevision == 4 && claims.softDevices == [0xA8, 0xFFFE])
    #expect(claims.revision?.description == "1.7.3" && claims.proof == .checksum(0xC8F0))
  }

  @Test func `A digest is of an image of its length, with a signature or without`() throws {
    let head = TestImage.initPacket(of: image).dropLast(2)
    let digest = SHA256.digest(of: image)
    for (kind, signature) in [(UInt32(1), 0), (2, 64)] {
      let packet =
        head + kind.littleEndianBytes + UInt32(image.count).littleEndianBytes + digest
        + [UInt8](repeating: 7, count: signature)
      let claims = try #require(ImageClaims(Array(packet)))
      #expect(claims.matches(image) && !claims.matches(Array(image.dropLast(4))))
      #expect(ImageClaims(Array(packet.dropLast())) == nil)
    }
    #expect(ImageClaims(Array(head) + UInt32(3).littleEndianBytes + digest) == nil)
  }

  @Test(arguments: [0, 1, 2, 9, 10, 12])
  func `What is too short is none`(count: Int) {
    #expect(ImageClaims(Array(TestImage.initPacket(of: image).prefix(count))) == nil)
  }

  @Test func `It is for a device of its type, revision and soft device, or of any`() throws {
    let device = BootloaderTraits.Device(type: 5, revision: 4, softDevice: 0xA8)
    func isFor(_ type: UInt16, _ revision: UInt16, _ softDevices: [UInt16]) throws -> Bool {
      let packet = TestImage.initPacket(of: image, type: type, revision: revision, softDevices: softDevices)
      return try #require(ImageClaims(packet)).isFor(device)
    }
    #expect(try isFor(5, 4, [0x91, 0xA8]) && isFor(0xFFFF, 0xFFFF, [0xFFFE]))
    #expect(try !isFor(8, 4, [0xA8]) && !isFor(5, 1, [0xA8]) && !isFor(5, 4, [0x91]))
  }
}
