import FleetModel

/// What a board is to the laboratory: where it is, what it is called, and the services that it has besides those that
/// every board has. The first is advertised.
struct LabShape: Equatable, Sendable {
  let address: BluetoothAddress
  let mtu: UInt16
  let name: String
  let services: [AttributeService]

  /// What a board is now; nil while it is not on the air.
  init?(_ board: any SimulatedBoard) {
    guard let advertisement = board.advertisement else { return nil }
    (address, mtu, name) = (board.address, board.mtu, advertisement.localName)
    // Stable: the advertised one is moved to the front, the others keep their order.
    services =
      board.services.filter { $0.uuid == advertisement.service }
      + board.services.filter { $0.uuid != advertisement.service }
  }

  /// As they travel.
  var bytes: [UInt8] {
    let name = Array(name.utf8.prefix(255))
    return address.rawValue.littleEndianBytes.prefix(6).reversed() + mtu.littleEndianBytes.reversed()
      + [UInt8(name.count)] + name + [UInt8(clamping: services.count)] + services.flatMap(Self.bytes)
  }

  private static func bytes(_ service: AttributeService) -> [UInt8] {
    service.uuid.bytes + [UInt8(clamping: service.characteristics.count)]
      + service.characteristics.flatMap { $0.uuid.bytes + [$0.properties.rawValue] }
  }
}
