import BoardKit

/// What a bootloader takes in one transfer: an image, and the init packet that describes it.
package struct FirmwareImage: Hashable, Sendable {
  /// What the image replaces, as the number of the request that announces it.
  package enum Kind: UInt8, Sendable {
    case softDevice = 1
    case bootloader, softDeviceAndBootloader, application
  }

  /// Bytes of a packet. A larger MTU is an extension of a few bootloaders, whatever was negotiated.
  package static let packetSize = 20

  package let kind: Kind
  /// Of the soft device in front of the bootloader, where both are sent; else 0.
  package let softDeviceSize: Int
  /// What the bootloader checks before it takes the image; opaque to us.
  package let initPacket: [UInt8]
  /// A whole number of words of 4 bytes.
  package let bytes: [UInt8]

  /// An image as a checked package has it (`FirmwarePackage`).
  package init(kind: Kind, softDeviceSize: Int = 0, initPacket: [UInt8], bytes: [UInt8]) {
    (self.kind, self.softDeviceSize, self.initPacket, self.bytes) = (kind, softDeviceSize, initPacket, bytes)
  }

  /// Sizes of soft device, bootloader and application: the packet behind the request that announces an image.
  package var sizes: [UInt8] {
    let sizes =
      switch kind {
      case .softDevice: [bytes.count, 0, 0]
      case .bootloader: [0, bytes.count, 0]
      case .softDeviceAndBootloader: [softDeviceSize, bytes.count - softDeviceSize, 0]
      case .application: [0, 0, bytes.count]
      }
    var packet: [UInt8] = []
    for size in sizes { packet.append(number: UInt32(truncatingIfNeeded: size)) }
    return packet
  }

  /// Pieces of `content` from `offset` on as packets carry them, `limit` at most. None is empty, not even where the
  /// content ends with a whole packet (trap 49 of the protocol reference).
  static func packets(of content: [UInt8], from offset: Int = 0, atMost limit: Int = .max) -> [[UInt8]] {
    stride(from: offset, to: content.count, by: packetSize).prefix(limit).map { start in
      Array(content[start..<min(start + packetSize, content.count)])
    }
  }
}
