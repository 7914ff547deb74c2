import BoardKit

/// What a bootloader notifies on its control point (protocol reference, section 34.2).
package enum BootloaderAnswer: Hashable, Sendable {
  /// How a request ended. `nil` where the bootloader names a request that there is not.
  case response(to: BootloaderRequest.Code?, Status)
  /// So many bytes of images came, which some bootloaders count since they were started.
  case counted(UInt32)
  /// The same, sent by itself after as many packets as were asked for.
  case receipt(UInt32)

  /// How a request ended.
  package enum Status: Hashable, Sendable {
    case success, invalidState, notSupported, sizeLimit, checksum, operationFailed
    /// A number that no source explains.
    case other(UInt8)

    init(_ number: UInt8) {
      let known: [Status] = [
        .success, .invalidState, .notSupported, .sizeLimit, .checksum, .operationFailed,
      ]
      self = number > 0 && number <= known.count ? known[Int(number) - 1] : .other(number)
    }
  }

  /// Reads a notification; nil for what is none of a bootloader's, or not whole.
  package init?(_ bytes: [UInt8]) {
    switch (bytes.first, bytes.count) {
    case (0x10, 3): self = .response(to: .init(rawValue: bytes[1]), Status(bytes[2]))
    case (0x10, 7):
      guard bytes[1] == BootloaderRequest.Code.countBytes.rawValue, bytes[2] == 1,
        let count = bytes.number(at: 3, as: UInt32.self)
      else { return nil }
      self = .counted(count)
    case (0x11, 5):
      guard let count = bytes.number(at: 1, as: UInt32.self) else { return nil }
      self = .receipt(count)
    default: return nil
    }
  }
}
