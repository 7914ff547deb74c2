import BoardKit

/// What a bootloader's version characteristic (1534) says it speaks: `08 00` is 0.8, as MetaBoot has it.
package struct DFUVersion: Hashable, Sendable, CustomStringConvertible {
  private let major, minor: UInt8

  /// nil for anything but two bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 2 else { return nil }
    (major, minor) = (bytes[1], bytes[0])
  }

  /// 0.1 is an application that can enter its bootloader: nothing may be sent to it.
  package var isApplication: Bool { (major, minor) == (0, 1) }

  /// Whether it is the legacy DFU with an init packet, as `BootloaderTransfer` speaks it.
  package var isSupported: Bool { major == 0 && minor >= 5 }

  package var description: String { "\(major).\(minor)" }
}
