import BoardKit
import FleetModel

/// What a package says of its image to the bootloader, which takes or refuses the image by it. It goes over as it is;
/// we read it only to find out before the board is touched what cannot work.
package struct InitPacket: Hashable, Sendable {
  /// What a packet promises of the image.
  package enum Promise: Hashable, Sendable {
    case checksum(UInt16)
    /// Its length and SHA-256, behind which a signature may stand.
    case digest(length: Int, [UInt8], isSigned: Bool)
    /// A form that we do not know; the bootloader may.
    case unknown
  }

  /// FFFF: any.
  package let deviceType, deviceRevision: UInt16
  /// FFFFFFFF: any.
  package let applicationVersion: UInt32
  /// What it is made to run on; FFFE: any.
  package let softDevices: [UInt16]
  package let promise: Promise

  /// Bytes that a bootloader has room for.
  static let largest = 128

  /// Reads one. A failure is a sentence.
  init(_ bytes: [UInt8]) throws(FirmwarePackage.Unusable) {
    if bytes.count <= 2 {
      throw .init(
        "its init packet has \(bytes.count) bytes: it is made for bootloaders that no MetaMotion has")
    }
    if bytes.count > Self.largest {
      throw .init(
        "its init packet has \(bytes.count) bytes, and a bootloader takes \(Self.largest): it is made for another kind of DFU"
      )
    }
    guard let type = bytes.number(at: 0, as: UInt16.self),
      let revision = bytes.number(at: 2, as: UInt16.self),
      let version = bytes.number(at: 4, as: UInt32.self), let count = bytes.number(at: 8, as: UInt16.self),
      bytes.count >= 10 + 2 * Int(count)
    else { throw .init("its init packet ends in the middle") }
    (deviceType, deviceRevision, applicationVersion) = (type, revision, version)
    softDevices = (0..<Int(count)).compactMap { bytes.number(at: 10 + 2 * $0, as: UInt16.self) }
    let rest = Array(bytes.dropFirst(10 + 2 * Int(count)))
    if Self.isUnread(rest) {
      throw .init(
        "its init packet has the checksum in a form that no bootloader of a MetaMotion reads: the image would be "
          + "refused when the old one is gone; make the package anew with the checksum alone (dfu_version 0.5)"
      )
    }
    promise = Self.promise(rest)
  }

  /// A checksum behind a 32-bit 0 (dfu_version 0.6): bootloaders take the first two bytes for it, and know better only
  /// when the image is there.
  private static func isUnread(_ bytes: [UInt8]) -> Bool {
    bytes.count == 6 && bytes.number(at: 0, as: UInt32.self) == 0
  }

  private static func promise(_ bytes: [UInt8]) -> Promise {
    if bytes.count == 2, let sum = bytes.number(at: 0, as: UInt16.self) { return .checksum(sum) }
    let signatures = [1: 0, 2: 64]
    guard let kind = bytes.number(at: 0, as: UInt32.self), let signature = signatures[Int(kind)],
      bytes.count == 40 + signature, let length = bytes.number(at: 4, as: UInt32.self)
    else { return .unknown }
    return .digest(length: Int(length), Array(bytes[8..<40]), isSigned: signature > 0)
  }

  /// What is wrong with an image by what is promised of it; nil: nothing that we can find out.
  func contradiction(to image: [UInt8]) -> String? {
    switch promise {
    case .checksum(let sum):
      ImageChecksum.of(image) == sum
        ? nil : "its image is not the one of its init packet: the checksum differs"
    case .digest(let length, let digest, _):
      length == image.count && SHA256.digest(of: image) == digest
        ? nil : "its image is not the one of its init packet: length or SHA-256 differ"
    case .unknown: nil
    }
  }
}
