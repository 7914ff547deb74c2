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
