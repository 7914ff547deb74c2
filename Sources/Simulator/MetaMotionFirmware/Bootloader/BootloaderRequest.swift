/// What a host asks of the bootloader, by the first byte that it writes to the control point (protocol reference 34.2).
package enum BootloaderRequest: UInt8, Sendable, CaseIterable {
  case start = 0x01
  case initPacket = 0x02
  case image = 0x03
  case validate = 0x04
  case activate = 0x05
  case reset = 0x06
  case size = 0x07
  case receipts = 0x08

  /// As fault scripts have it.
  package var word: String {
    switch self {
    case .start: "start"
    case .initPacket: "init"
    case .image: "image"
    case .validate: "validate"
    case .activate: "activate"
    case .reset: "reset"
    case .size: "size"
    case .receipts: "receipts"
    }
  }
}

/// What the bootloader makes of a request (protocol reference 34.2).
package enum BootloaderStatus: UInt8, Sendable, CaseIterable {
  case success = 0x01
  case invalidState = 0x02
  case notSupported = 0x03
  case tooLarge = 0x04
  case checksum = 0x05
  case failed = 0x06

  /// As fault scripts have it.
  package var word: String {
    switch self {
    case .success: "success"
    case .invalidState: "invalid-state"
    case .notSupported: "not-supported"
    case .tooLarge: "too-large"
    case .checksum: "checksum"
    case .failed: "failed"
    }
  }
}

/// What the bootloader notifies.
enum BootloaderNotice {
  private static let answer: UInt8 = 0x10
  private static let receipt: UInt8 = 0x11

  /// Whatever was asked for, known or not.
  static func answer(to opcode: UInt8, _ status: BootloaderStatus, _ rest: [UInt8] = []) -> [UInt8] {
    [answer, opcode, status.rawValue] + rest
  }

  static func receipt(of bytes: UInt32) -> [UInt8] { [receipt] + bytes.littleEndianBytes }
}
