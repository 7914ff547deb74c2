import BoardKit

/// The services and characteristics of a MetaMotion (protocol reference, section 1.1).
enum Attributes {
  /// Commands go in and notifications come out here.
  static let metaWear = AttributeUUID("326a9000-85cb-9195-d9dd-464cfbbae75a")
  /// Present instead of `metaWear` while the board waits in its bootloader.
  static let bootloader = AttributeUUID("00001530-1212-efde-1523-785feabcd123")
  private static let deviceInformation = AttributeUUID(assigned: 0x180A)

  /// Requests to a bootloader go in, written with response, and its answers come out.
  static let bootloaderControl = Characteristic(
    service: bootloader, uuid: AttributeUUID("00001531-1212-efde-1523-785feabcd123"))
  /// Sizes, init packet and image of a transfer, written without response, at most 20 bytes.
  static let bootloaderPacket = Characteristic(
    service: bootloader, uuid: AttributeUUID("00001532-1212-efde-1523-785feabcd123"))
  /// Which kind of DFU a bootloader speaks (`DFUVersion`).
  static let bootloaderVersion = Characteristic(
    service: bootloader, uuid: AttributeUUID("00001534-1212-efde-1523-785feabcd123"))

  /// Host to board, at most 20 bytes.
  static let command = Characteristic(
    service: metaWear, uuid: AttributeUUID("326a9001-85cb-9195-d9dd-464cfbbae75a"))
  /// Board to host, at most 20 bytes.
  static let notification = Characteristic(
    service: metaWear, uuid: AttributeUUID("326a9006-85cb-9195-d9dd-464cfbbae75a"))

  static let modelNumber = information(0x2A24)
  static let serialNumber = information(0x2A25)
  static let firmwareRevision = information(0x2A26)
  static let hardwareRevision = information(0x2A27)
  static let manufacturer = information(0x2A29)

  private static func information(_ number: UInt16) -> Characteristic {
    Characteristic(service: deviceInformation, uuid: AttributeUUID(assigned: number))
  }
}
