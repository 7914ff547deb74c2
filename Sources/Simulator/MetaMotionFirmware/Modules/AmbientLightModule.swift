import FleetModel

/// The LTR329 light sensor (protocol reference 23).
struct AmbientLightModule: FirmwareModule {
  static let id: UInt8 = 0x14
  static let name = "ambient-light"

  private enum Register {
    static let power: UInt8 = 0x01
    static let configuration: UInt8 = 0x02
    static let illuminance: UInt8 = 0x03
  }

  /// Milliseconds between measurements, by code; what the table does not have is the longest.
  private static let periods = [50, 100, 200, 500, 1000, 2000, 2000, 2000]
  /// By code; codes 4 and 5 are reserved.
  private static let gains: [Double] = [1, 2, 4, 8, 1, 1, 48, 96]
  /// Lux at which the sensor saturates without gain.
  private static let range = 64_000.0

  let streams: Set<UInt8> = [Register.illuminance]
  private var registers = RegisterBank(settings: [Register.power: [0], Register.configuration: [0x00, 0x03]])
  private var clock: SampleClock?

  init(_ board: Mainboard) {}

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    guard registers.write(register, payload) else { return }
    let period = Self.periods[Int(configuration[1] & 0x07)]
    let isOn = registers.read(Register.power) == [1]
    clock = isOn ? SampleClock(period: .milliseconds(period), startedAt: board.now) : nil
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    payload.isEmpty ? registers.read(register) : nil
  }

  func nextEvent(on board: Mainboard) -> Duration? {
    board.isWanted(Self.id, Register.illuminance) ? clock?.next(after: board.now, every: 1) : nil
  }

  /// Thousandths of a lux.
  mutating func fire(on board: inout Mainboard) {
    let limit = Self.range / Self.gains[Int(configuration[0] >> 2 & 0x07)]
    let lux = min(max(board.surroundings.climate.illuminance(at: board.now), 0), limit)
    board.fire(Self.id, Register.illuminance, UInt32(lux * 1000).littleEndianBytes)
  }

  private var configuration: [UInt8] { registers.read(Register.configuration) ?? [0, 0] }
}
