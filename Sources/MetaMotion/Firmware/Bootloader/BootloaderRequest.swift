import BoardKit

/// What is written to the control point of a bootloader (legacy DFU; protocol reference, section 34.2).
package enum BootloaderRequest: Hashable, Sendable {
  /// Announces an image of a kind. The packet that follows says its size, and the bootloader erases the flash.
  case start(FirmwareImage.Kind)
  /// The packets that follow are the init packet.
  case beginInit
  /// The init packet is complete.
  case endInit
  /// The packets that follow are the image.
  case sendImage
  /// Compare what came with the init packet.
  case validate
  /// Make the image valid and start it: the board ends the link.
  case activate
  /// Start anew, without a new image: the board ends the link.
  case reset
  /// How many bytes of the image came?
  case countBytes
  /// Report the bytes that came after every so many packets; 0: never.
  case receipts(every: UInt16)

  /// First byte of a request, which its answer repeats.
  package enum Code: UInt8, Sendable {
    case start = 1
    case initPacket, sendImage, validate, activate, reset, countBytes, receipts
  }

  /// What it is called in answers.
  package var code: Code {
    switch self {
    case .start: .start
    case .beginInit, .endInit: .initPacket
    case .sendImage: .sendImage
    case .validate: .validate
    case .activate: .activate
    case .reset: .reset
    case .countBytes: .countBytes
    case .receipts: .receipts
    }
  }

  /// What is written.
  package var bytes: [UInt8] {
    var bytes = [code.rawValue]
    switch self {
    case .start(let kind): bytes.append(kind.rawValue)
    case .beginInit: bytes.append(0)
    case .endInit: bytes.append(1)
    case .receipts(let packets): bytes.append(number: packets)
    case .sendImage, .validate, .activate, .reset, .countBytes: break
    }
    return bytes
  }
}
