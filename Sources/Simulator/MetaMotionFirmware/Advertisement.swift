/// What a board says to everybody in range.
package struct Advertisement: Sendable, Equatable {
  package let localName: String
  package let serviceUUID: String
  /// By company identifier.
  package let manufacturerData: [UInt16: [UInt8]]

  /// The application's service, and the bootloader's (protocol reference 1.1).
  package static let metaWearService = "326a9000-85cb-9195-d9dd-464cfbbae75a"
  package static let bootloaderService = "00001530-1212-efde-1523-785feabcd123"

  static let bootloader = Advertisement(
    localName: "MetaBoot", serviceUUID: bootloaderService, manufacturerData: [:])
}

/// A structure of an advertising packet: its type and its data. What does not fit is left out.
struct AdvertisingStructure: Equatable {
  static let completeLocalName: UInt8 = 0x09
  static let manufacturerData: UInt8 = 0xFF

  let type: UInt8
  let data: [UInt8]

  static func all(in bytes: [UInt8]) -> [AdvertisingStructure] {
    var structures: [AdvertisingStructure] = []
    var rest = bytes[...]
    while let length = rest.first.map(Int.init), length > 0, rest.count > length {
      let body = rest.dropFirst().prefix(length)
      structures.append(AdvertisingStructure(type: body[body.startIndex], data: Array(body.dropFirst())))
      rest = rest.dropFirst(length + 1)
    }
    return structures
  }
}
