import FleetModel

/// What an init packet says of the image behind it: for whom it is, and how it is recognised. A signature is of a key
/// that nobody has, so it only has to be there.
struct ImageClaims: Equatable, Sendable {
  /// How the image is recognised.
  enum Proof: Equatable, Sendable {
    case checksum(UInt16)
    /// SHA-256 of an image of so many bytes.
    case digest(length: UInt32, [UInt8])
  }

  private static let anyDevice: UInt16 = 0xFFFF
  private static let anySoftDevice: UInt16 = 0xFFFE
  private static let noVersion: UInt32 = 0xFFFF_FFFF
  private static let digestLength = 32
  private static let signatureLength = 64

  let deviceType: UInt16
  let deviceRevision: UInt16
  let version: UInt32
  let softDevices: [UInt16]
  let proof: Proof

  /// Nil for what is no init packet.
  init?(_ packet: [UInt8]) {
    guard let type = UInt16(littleEndian: packet, at: 0), let revision = UInt16(littleEndian: packet, at: 2),
      let version = UInt32(littleEndian: packet, at: 4), let count = UInt16(littleEndian: packet, at: 8)
    else { return nil }
    let end = 10 + 2 * Int(count)
    guard packet.count > end, let proof = Self.proof(Array(packet[end...])) else { return nil }
    deviceType = type
    deviceRevision = revision
    self.version = version
    softDevices = stride(from: 10, to: end, by: 2).compactMap { UInt16(littleEndian: packet, at: $0) }
    self.proof = proof
  }

  /// Two bytes are a checksum; else a number says what follows.
  private static func proof(_ rest: [UInt8]) -> Proof? {
    if rest.count == 2 { return UInt16(littleEndian: rest).map { .checksum($0) } }
    let signature: Int
    switch UInt32(littleEndian: rest) {
    case 1: signature = 0
    case 2: signature = signatureLength
    default: return nil
    }
    guard rest.count == 8 + digestLength + signature, let length = UInt32(littleEndian: rest, at: 4) else {
      return nil
    }
    return .digest(length: length, Array(rest[8..<8 + digestLength]))
  }

  func isFor(_ device: BootloaderTraits.Device) -> Bool {
    (deviceType == Self.anyDevice || deviceType == device.type)
      && (deviceRevision == Self.anyDevice || deviceRevision == device.revision)
      && (softDevices.contains(Self.anySoftDevice) || softDevices.contains(device.softDevice))
  }

  func matches(_ image: [UInt8]) -> Bool {
    switch proof {
    case .checksum(let checksum): ImageChecksum.of(image) == checksum
    case .digest(let length, let digest):
      Int(length) == image.count && SHA256.digest(of: image) == digest
    }
  }

  /// `1.7.3` of 00010703; nil where the packet does not say.
  var revision: FirmwareRevision? {
    guard version != Self.noVersion else { return nil }
    return FirmwareRevision([version >> 16 & 0xFF, version >> 8 & 0xFF, version & 0xFF].map(Int.init))
  }
}
