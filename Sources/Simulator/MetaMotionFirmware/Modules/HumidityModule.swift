/// The humidity part of a BME280, which no MetaMotion carries (protocol reference 25).
struct HumidityModule: FirmwareModule {
  static let id: UInt8 = 0x16
  static let name = "humidity"

  private enum Register {
    static let value: UInt8 = 0x01
    static let oversampling: UInt8 = 0x02
  }

  private var oversampling: UInt8 = 1

  init(_ board: Mainboard) {}

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    guard register == Register.oversampling, payload.count == 1, (1...5).contains(payload[0]) else { return }
    oversampling = payload[0]
  }

  /// Percent in units of 1/1024.
  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    guard payload.isEmpty else { return nil }
    switch register {
    case Register.value:
      return UInt32(max(board.surroundings.climate.humidity(at: board.now), 0) * 1024).littleEndianBytes
    case Register.oversampling: return [oversampling]
    default: return nil
    }
  }
}
