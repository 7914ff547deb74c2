import FleetModel

/// Registers of devices on the buses as streams that are read (protocol reference, section 18).
struct BusSource: PolledSource {
  private let hasSPI: Bool

  init?(on board: Inventory) {
    guard let revision = board.revision(of: .serial) else { return nil }
    hasSPI = revision >= SerialBus.firstRevisionWithSPI
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    guard let (bus, _) = BusStreams.parse(stream.name), bus == .i2c || hasSPI else { return nil }
    return stream.listedOffers
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? { BusRegister(stream.name, configuration)?.question }
}
