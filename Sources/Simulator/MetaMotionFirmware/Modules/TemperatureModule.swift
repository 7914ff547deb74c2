/// Temperature channels as the information reply lists them (protocol reference 10), in eighths of a degree.
struct TemperatureModule: FirmwareModule {
  static let id: UInt8 = 0x04
  static let name = "temperature"

  private enum Register {
    static let value: UInt8 = 0x01
    static let mode: UInt8 = 0x02
  }

  private enum Source: UInt8 {
    case die = 0
    case externalThermistor = 1
    case bmp280 = 2
    case presetThermistor = 3
  }

  let indexed: Set<UInt8> = [Register.value]
  private let channels: [Source?]
  /// Data pin, pull-down pin and active-high flag of each external thermistor that was configured.
  private var modes: [UInt8: [UInt8]] = [:]
  /// What the barometer's own thermometer showed last.
  private var barometer: Double

  init(_ board: Mainboard) {
    channels = board.model.extra(of: Self.id).map(Source.init)
    barometer = board.surroundings.climate.ambient(at: board.start.time)
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    guard register == Register.mode, payload.count == 4, source(payload[0]) == .externalThermistor else {
      return
    }
    modes[payload[0]] = Array(payload.dropFirst())
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    guard payload.count == 1, let source = source(payload[0]) else { return nil }
    switch register {
    case Register.value:
      if board.sensors.running.contains(BarometerModule.id) {
        barometer = board.surroundings.climate.ambient(at: board.now)
      }
      return payload + eighths(of: source, channel: payload[0], on: board).littleEndianBytes
    case Register.mode:
      return modes[payload[0]].map { payload + $0 }
    default: return nil
    }
  }

  private func source(_ channel: UInt8) -> Source? {
    Int(channel) < channels.count ? channels[Int(channel)] : nil
  }

  private func eighths(of source: Source, channel: UInt8, on board: Mainboard) -> Int16 {
    switch source {
    case .die:
      // It resolves a quarter of a degree only.
      return Int16(board.surroundings.climate.die(at: board.now) * 4) * 2
    case .presetThermistor:
      return Int16(board.surroundings.climate.ambient(at: board.now) * 8)
    case .externalThermistor:
      // Pins that nobody configured float: what is read means nothing.
      guard modes[channel] != nil else {
        return Int16(-400 + 200 * board.surroundings.noise.value(at: board.now, channel: 3))
      }
      return Int16(board.surroundings.climate.ambient(at: board.now) * 8)
    case .bmp280:
      return Int16(barometer * 8)
    }
  }
}
