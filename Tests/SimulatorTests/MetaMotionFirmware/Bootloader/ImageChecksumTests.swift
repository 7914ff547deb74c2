import Testing

@testable import Simulator

struct ImageChecksumTests {
  @Test func `The checksum is that of the standard's check`() {
    #expect(ImageChecksum.of(Array("123456789".utf8)) == 0x29B1)
    #expect(ImageChecksum.of([]) == 0xFFFF)
  }

  /// By Python's `binascii.crc_hqx(data, 0xFFFF)`.
  @Test(arguments: [(20, 0x460C), (204, 0x6641), (400, 0x6F18)] as [(Int, UInt16)])
  func `Images have the checksums that Python computes`(count: Int, checksum: UInt16) {
    #expect(ImageChecksum.of(TestImage.bytes(count)) == checksum)
  }
}
