import FleetModel

/// A release package in the vendor's form with an image that only simulated boards run: a ZIP archive of a manifest, an
/// init packet and an image, in which nothing is compressed.
enum DemoPackage {
  /// The version is the only thing in it that says something, as simulated boards read it off real firmware, too.
  static func archive(version: String) -> [UInt8] {
    let text = Array("MetaFleet sample \(version)\u{0}".utf8)
    let image = text + [UInt8](repeating: 0xA5, count: size - text.count)
    return archive(of: [
      ("manifest.json", Array(manifest.utf8)), ("firmware.dat", initPacket(of: image)),
      ("firmware.bin", image),
    ])
  }

  /// Words of four bytes, as bootloaders want it.
  private static let size = 24_000
  private static let manifest =
    #"{"manifest": {"application": {"bin_file": "firmware.bin", "dat_file": "firmware.dat"}, "dfu_version": 0.5}}"#

  /// For any device and any SoftDevice, with length and SHA-256 of the image.
  private static func initPacket(of image: [UInt8]) -> [UInt8] {
    [UInt8](repeating: 0xFF, count: 8) + little(1, 2) + [0xFE, 0xFF] + little(1, 4) + little(image.count, 4)
      + SHA256.digest(of: image)
  }

  private static func archive(of files: [(name: String, content: [UInt8])]) -> [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, content) in files {
      // Version 2.0, no flags, stored, 1 January 1980.
      let facts =
        little(20, 2) + little(0, 4) + little(0, 2) + little(0x21, 2) + little(checksum(content), 4)
        + little(content.count, 4) + little(content.count, 4) + little(name.utf8.count, 2) + little(0, 2)
      directory +=
        [0x50, 0x4B, 1, 2] + little(20, 2) + facts + little(0, 10) + little(archive.count, 4)
        + Array(name.utf8)
      archive += [0x50, 0x4B, 3, 4] + facts + Array(name.utf8) + content
    }
    let place = archive.count
    return archive + directory + [0x50, 0x4B, 5, 6] + little(0, 4) + little(files.count, 2)
      + little(files.count, 2) + little(directory.count, 4) + little(place, 4) + little(0, 2)
  }

  private static func little(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: $0 < 8 ? number >> (8 * $0) : 0) }
  }

  /// CRC-32 as archives have it: polynomial EDB88320, reflected.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return Int(~sum)
  }
}
