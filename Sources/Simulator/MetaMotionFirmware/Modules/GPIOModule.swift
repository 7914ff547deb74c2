import FleetModel

/// The pins (protocol reference 11).
struct GPIOModule: FirmwareModule {
  static let id: UInt8 = 0x05
  static let name = "gpio"

  private enum Register {
    static let setHigh: UInt8 = 0x01
    static let setLow: UInt8 = 0x02
    static let pullUp: UInt8 = 0x03
    static let pullDown: UInt8 = 0x04
    static let noPull: UInt8 = 0x05
    static let absolute: UInt8 = 0x06
    static let ratio: UInt8 = 0x07
    static let digital: UInt8 = 0x08
    static let changeType: UInt8 = 0x09
    static let change: UInt8 = 0x0A
    static let monitor: UInt8 = 0x0B
  }

  private static let isDigital: UInt8 = 0x01
  private static let isAnalog: UInt8 = 0x02
  private static let fullScale = 1023.0
  /// An analog read with pull-up pin, pull-down pin, delay and virtual pin came with this revision.
  private static let extendedRevision: UInt8 = 2

  let streams: Set<UInt8> = [Register.change]
  let indexed: Set<UInt8> = [Register.absolute, Register.ratio, Register.digital, Register.change]
  private let revision: UInt8
  private var pins: [Pin]

  init(_ board: Mainboard) {
    revision = board.model.revision(of: Self.id)
    let supply = board.model.isS ? 1800.0 : 3000.0
    pins = board.model.extra(of: Self.id).map { Pin(capabilities: $0, supply: supply) }
  }

  mutating func reset(on board: inout Mainboard) {
    let voltages = pins.map(\.external)
    self = Self(board)
    for (index, voltage) in voltages.enumerated() where index < pins.count { pins[index].external = voltage }
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    guard let number = payload.first, Int(number) < pins.count else { return }
    let before = pins[Int(number)].level
    switch (register, payload.count) {
    case (Register.setHigh, 1): pins[Int(number)].output = true
    case (Register.setLow, 1): pins[Int(number)].output = false
    case (Register.pullUp, 1): pins[Int(number)].set(pull: .up)
    case (Register.pullDown, 1): pins[Int(number)].set(pull: .down)
    case (Register.noPull, 1): pins[Int(number)].set(pull: .none)
    case (Register.changeType, 2):
      guard let type = Pin.ChangeType(rawValue: payload[1]) else { return }
      pins[Int(number)].changeType = type
    case (Register.monitor, 2) where payload[1] <= 1: pins[Int(number)].isMonitored = payload[1] == 1
    default: return
    }
    if let output = pins[Int(number)].output, register <= Register.setLow {
      board.note(action: .pin(number, isHigh: output))
    }
    notifyChange(of: number, from: before, on: &board)
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    guard let number = payload.first, Int(number) < pins.count else { return nil }
    let pin = pins[Int(number)]
    switch (register, payload.count) {
    case (Register.absolute, _) where pin.capabilities & Self.isAnalog != 0:
      return label(payload).map { [$0] + UInt16(pin.voltage).littleEndianBytes }
    case (Register.ratio, _) where pin.capabilities & Self.isAnalog != 0:
      return label(payload).map { [$0] + UInt16(pin.voltage / pin.supply * Self.fullScale).littleEndianBytes }
    case (Register.digital, 1) where pin.capabilities & Self.isDigital != 0:
      return [number, pin.level ? 1 : 0]
    case (Register.changeType, 1): return [number, pin.changeType.rawValue]
    default: return nil
    }
  }

  /// Somebody puts a voltage on a pin, in millivolts; nil takes it away. A pin that is not there is left alone.
  mutating func setVoltage(_ millivolts: Double?, pin number: UInt8, on board: inout Mainboard) {
    guard Int(number) < pins.count else { return }
    let before = pins[Int(number)].level
    pins[Int(number)].external = millivolts.flatMap { $0.isFinite ? $0 : nil }.map {
      min(max($0, 0), pins[Int(number)].supply)
    }
    notifyChange(of: number, from: before, on: &board)
  }

  private func notifyChange(of number: UInt8, from before: Bool, on board: inout Mainboard) {
    let pin = pins[Int(number)]
    guard pin.isMonitored, pin.level != before, pin.changeType.includes(rising: pin.level) else { return }
    board.fire(
      SignalSource(module: Self.id, register: Register.change, index: number), [pin.level ? 1 : 0])
  }

  /// The number that an analog answer carries: the virtual pin's, if one is named. Nil for a request of the wrong
  /// length.
  private func label(_ payload: [UInt8]) -> UInt8? {
    if payload.count == 1 { return payload[0] }
    guard payload.count == 5, revision >= Self.extendedRevision else { return nil }
    return payload[4] == SignalSource.noIndex ? payload[0] : payload[4]
  }
}
