package import BoardKit
package import Fleet
package import FleetModel
import MetaMotion

/// Firmware for simulated boards: an index that has the same build for each of them, and packages of any version.
package struct SeededFirmware: FirmwareSource {
  /// The newest build, which is newer than what boards have.
  package static let version = "1.9.1"

  private struct Index: FirmwareIndex {
    func offer(for board: BoardDescription) -> FirmwareReport.Offer {
      FirmwareReport.Offer(latest: version, build: "vanilla", hardware: "0.1", isHardwareListed: true)
    }
  }

  private struct Installation: FirmwareInstallation {
    let version: String
    let size: Int
    var sum: String { String(repeating: "5", count: 64) }

    func images(for board: BootloaderDescription) throws(CommandFailure) -> [any InstallableImage] {
      let bytes = SeededFirmware.image(of: version, size: size)
      return [
        InstallableFirmware(
          FirmwareImage(
            kind: .application, initPacket: SeededFirmware.initPacket(of: bytes), bytes: bytes),
          version: version)
      ]
    }
  }

  /// Of an image, in bytes.
  private let size: Int

  /// Images of `size` bytes: as standard, not a whole number of packets.
  package init(size: Int = 20_004) { self.size = size }

  package func kept(_ configuration: FirmwareConfiguration) async -> FetchedIndex? { nil }

  package func fetch(
    _ configuration: FirmwareConfiguration, at now: Timestamp
  ) async throws(FirmwareCheckFailure) -> FetchedIndex {
    FetchedIndex(Index(), from: FirmwareReport.Index(source: configuration.index, fetched: now))
  }

  package func installation(
    _ request: InstallationRequest, _ configuration: FirmwareConfiguration
  ) async throws(CommandFailure) -> any FirmwareInstallation {
    Installation(version: request.version ?? Self.version, size: size)
  }

  /// Bytes that mean nothing, with a version somewhere in them, which is what a simulated board shows.
  package static func image(of version: String, size: Int) -> [UInt8] {
    let text = Array("toy \(version)\u{0}".utf8)
    return text + [UInt8](repeating: 0xA5, count: max(0, size - text.count))
  }

  /// For any device, with the checksum of the image.
  package static func initPacket(of image: [UInt8]) -> [UInt8] {
    var sum: UInt16 = 0xFFFF
    for byte in image {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
    return [
      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0xFE, 0xFF, UInt8(sum & 0xFF), UInt8(sum >> 8),
    ]
  }
}
