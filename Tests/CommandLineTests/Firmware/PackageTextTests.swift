import FleetModel
import MetaMotion
import Support
import Testing

@testable import metafleet

@Suite struct PackageTextTests {
  @Test func `a package is told line by line`() throws {
    let package = try FirmwarePackage(SamplePackage(image: [1, 2, 3, 4]).bytes)
    #expect(
      PackageText.lines(of: package) == [
        "replaces: firmware", "image: 4 bytes",
        "made for: device type any, revision any, soft devices any",
        "promised: a checksum of the image, which fits", "SHA-256: \(package.digest)",
      ])
    let both = try FirmwarePackage(
      SamplePackage(image: [UInt8](repeating: 1, count: 12), part: "softdevice_bootloader").bytes)
    #expect(
      PackageText.lines(of: both).prefix(3) == [
        "replaces: soft device and bootloader", "image: 12 bytes", "soft device: 4 bytes of it",
      ])
  }

  @Test func `and as an object`() throws {
    let package = try FirmwarePackage(SamplePackage(image: [1, 2, 3, 4], part: "bootloader").bytes)
    let object = PackageText.object(of: package)
    #expect(object["replaces"] == "bootloader" && object["bytes"] == 4 && object["init_packet_bytes"] == 14)
    #expect(object["soft_devices"] == .array([.integer(0xFFFE)]))
    #expect(object["sha256"] == .string(package.digest))
  }
}
