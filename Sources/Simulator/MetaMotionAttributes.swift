package import BoardKit

/// The names of a MetaMotion's attributes (protocol reference 1.1).
package enum MetaMotionAttributes {
  package static let service = AttributeUUID("326a9000-85cb-9195-d9dd-464cfbbae75a")
  package static let command = Characteristic(
    service: service, uuid: AttributeUUID("326a9001-85cb-9195-d9dd-464cfbbae75a"))
  package static let notification = Characteristic(
    service: service, uuid: AttributeUUID("326a9006-85cb-9195-d9dd-464cfbbae75a"))

  package static let deviceInformation = AttributeUUID(assigned: 0x180A)
  package static let modelNumber = AttributeUUID(assigned: 0x2A24)
  package static let serialNumber = AttributeUUID(assigned: 0x2A25)
  package static let firmwareRevision = AttributeUUID(assigned: 0x2A26)
  package static let hardwareRevision = AttributeUUID(assigned: 0x2A27)
  package static let manufacturer = AttributeUUID(assigned: 0x2A29)

  package static let batteryLevel = Characteristic(
    service: AttributeUUID(assigned: 0x180F), uuid: AttributeUUID(assigned: 0x2A19))

  package static let bootloader = AttributeUUID("00001530-1212-efde-1523-785feabcd123")
  package static let bootloaderControl = Characteristic(
    service: bootloader, uuid: AttributeUUID("00001531-1212-efde-1523-785feabcd123"))
  package static let bootloaderPacket = Characteristic(
    service: bootloader, uuid: AttributeUUID("00001532-1212-efde-1523-785feabcd123"))
  package static let bootloaderVersion = Characteristic(
    service: bootloader, uuid: AttributeUUID("00001534-1212-efde-1523-785feabcd123"))
}

extension MetaMotionAttributes {
  static let applicationTable = [
    AttributeService(
      service,
      [(command.uuid, [.read, .write, .writeWithoutResponse]), (notification.uuid, [.read, .notify])]),
    informationTable,
    AttributeService(batteryLevel.service, [(batteryLevel.uuid, [.read, .notify])]),
  ]

  /// With the handles of the application's table, so that what is kept by handle or path means something else.
  static func bootloaderTable(_ traits: BootloaderTraits) -> [AttributeService] {
    var attributes: [(AttributeUUID, AttributeProperties)] = [
      (bootloaderPacket.uuid, .writeWithoutResponse), (bootloaderControl.uuid, [.write, .notify]),
    ]
    if traits.version != nil { attributes.append((bootloaderVersion.uuid, .read)) }
    return [AttributeService(bootloader, attributes)]
      + (traits.hasDeviceInformation ? [informationTable] : [])
  }

  private static let informationTable = AttributeService(
    deviceInformation,
    [manufacturer, modelNumber, serialNumber, hardwareRevision, firmwareRevision].map { ($0, .read) })
}
