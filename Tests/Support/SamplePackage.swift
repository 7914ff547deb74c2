import BoardKit
import FleetModel

/// A release package as another tool would write it: a zip archive whose files are stored, with a manifest, an image
/// and its init packet.
package struct SamplePackage: Sendable {
  package var image: [UInt8]
  /// `application`, `bootloader`, `softdevice` or `softdevice_bootloader`, of which the soft device has 4 bytes.
  package var part: String
  /// Instead of one whose checksum fits.
  package var initPacket: [UInt8]?

  package init(image: [UInt8], part: String = "application", initPacket: [UInt8]? = nil) {
    (self.image, self.part, self.initPacket) = (image, part, initPacket)
  }

  package var bytes: [UInt8] {
    let files: [(name: String, content: [UInt8])] = [
      ("manifest.json", Array(manifest.utf8)), ("image.bin", image),
      ("image.dat", initPacket ?? fittingInitPacket),
    ]
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, content) in files {
      var facts: [UInt8] = [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]
      facts.append(number: Self.checksum(content))
      facts.append(number: UInt32(content.count))
      facts.append(number: UInt32(content.count))
      facts.append(number: UInt16(name.utf8.count))
      facts.append(number: UInt16(0))
      directory += [0x50, 0x4B, 1, 2, 20, 0] + facts + [UInt8](repeating: 0, count: 10)
      directory.append(number: UInt32(archive.count))
      directory += Array(name.utf8)
      archive += [0x50, 0x4B, 3, 4] + facts + Array(name.utf8) + content
    }
    var end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0, UInt8(files.count), 0, UInt8(files.count), 0]
    end.append(number: UInt32(directory.count))
    end.append(number: UInt32(archive.count))
    return archive + directory + end + [0, 0]
  }

  private var manifest: String {
    #"{"manifest": {"\#(part)": {"bin_file": "image.bin", "dat_file": "image.dat", "sd_size": 4}, "dfu_version": 0.5}}"#
  }

  /// For any device, with the checksum of the image (CRC-16/CCITT-FALSE).
  private var fittingInitPacket: [UInt8] {
    var sum: UInt16 = 0xFFFF
    for byte in image {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
    var packet: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0xFE, 0xFF]
    packet.append(number: sum)
    return packet
  }

  private static func checksum(_ content: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
    }
    return ~sum
  }
}
