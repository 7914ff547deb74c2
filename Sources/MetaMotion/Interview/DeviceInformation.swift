import BoardKit

/// The strings of the device information service (protocol reference, section 1.1).
struct DeviceInformation: Hashable, Sendable {
  var firmwareRevision: String
  var modelNumber: String
  /// Without the leading `r` that some firmware writes.
  var hardwareRevision: String
  var manufacturer: String
  var serialNumber: String

  /// Takes the values as the board sent them.
  init(
    firmwareRevision: [UInt8], modelNumber: [UInt8], hardwareRevision: [UInt8], manufacturer: [UInt8],
    serialNumber: [UInt8]
  ) {
    self.firmwareRevision = Self.text(firmwareRevision)
    self.modelNumber = Self.text(modelNumber)
    let hardware = Self.text(hardwareRevision)
    self.hardwareRevision = hardware.hasPrefix("r") ? String(hardware.dropFirst()) : hardware
    self.manufacturer = Self.text(manufacturer)
    self.serialNumber = Self.text(serialNumber)
  }

  /// What comes from the air is not trusted: printable ASCII only, and not much of it.
  private static func text(_ value: [UInt8]) -> String {
    String(decoding: value.prefix { $0 != 0 }.filter { (0x20...0x7E).contains($0) }.prefix(64), as: UTF8.self)
  }
}
