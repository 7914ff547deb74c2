import FleetModel

/// The BMP280 or BME280 barometer and the altitude that the firmware makes of it (protocol reference 21).
struct BarometerModule: FirmwareModule {
  static let id: UInt8 = 0x12
  static let name = "barometer"

  private enum Register {
    static let pressure: UInt8 = 0x01
    static let altitude: UInt8 = 0x02
    static let configuration: UInt8 = 0x03
    static let cyclic: UInt8 = 0x04
  }

  private static let bme280: UInt8 = 1
  /// Microseconds by the pressure's oversampling, the temperature's included; nothing is measured without.
  private static let conversion: [Int?] = [nil, 5500, 7500, 11500, 19500, 37500]
  private static let standby = [500, 62_500, 125_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000]
  private static let standbyOfBME280 = [500, 62_500, 125_000, 250_000, 500_000, 1_000_000, 10_000, 20_000]
  private static let scale = 256.0

  let streams: Set<UInt8> = [Register.pressure, Register.altitude]
  private let standby: [Int]
  private var registers = RegisterBank(
    settings: [Register.configuration: [0x2C, 0x00], Register.cyclic: [0, 0]])
  private var clock: SampleClock?
  private var lastPressure = 0.0

  init(_ board: Mainboard) {
    standby =
      board.model.implementation(of: Self.id) == Self.bme280 ? Self.standbyOfBME280 : Self.standby
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    guard registers.write(register, payload) else { return }
    clock = isRunning ? period.map { SampleClock(period: $0, startedAt: board.now) } : nil
    board.setRunning(Self.id, clock != nil)
  }

  /// A barometer that does not run shows what it showed last.
  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    guard payload.isEmpty else { return nil }
    switch register {
    case Register.pressure:
      if let clock, clock.index(at: board.now) > 0 {
        measure(at: clock.time(of: clock.index(at: board.now)), on: board)
      }
      return pressureBytes
    case Register.altitude: return nil
    default: return registers.read(register)
    }
  }

  func nextEvent(on board: Mainboard) -> Duration? {
    guard board.isWanted(Self.id, Register.pressure) || board.isWanted(Self.id, Register.altitude) else {
      return nil
    }
    return clock?.next(after: board.now, every: 1)
  }

  mutating func fire(on board: inout Mainboard) {
    measure(at: board.now, on: board)
    board.fire(Self.id, Register.pressure, pressureBytes)
    if registers.read(Register.cyclic)?.last == 1 {
      let altitude = Climate.altitude(pressure: lastPressure) * Self.scale
      board.fire(Self.id, Register.altitude, Int32(altitude).littleEndianBytes)
    }
  }

  private mutating func measure(at time: Duration, on board: Mainboard) {
    lastPressure = board.surroundings.climate.pressure(at: time)
  }

  private var pressureBytes: [UInt8] { UInt32(lastPressure * Self.scale).littleEndianBytes }

  private var isRunning: Bool { registers.read(Register.cyclic)?.first == 1 }

  /// Nil without pressure measurement.
  private var period: Duration? {
    let configuration = registers.read(Register.configuration) ?? [0, 0]
    let oversampling = min(Int(configuration[0] >> 2 & 0x07), Self.conversion.count - 1)
    let standby = standby[Int(configuration[1] >> 5)]
    return Self.conversion[oversampling].map { .microseconds($0 + standby) }
  }
}
