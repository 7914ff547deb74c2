import FleetModel

/// The timers (protocol reference 17).
struct TimerModule: FirmwareModule {
  static let id: UInt8 = 0x0C
  static let name = "timer"

  private enum Register {
    static let enable: UInt8 = 0x01
    static let create: UInt8 = 0x02
    static let start: UInt8 = 0x03
    static let stop: UInt8 = 0x04
    static let remove: UInt8 = 0x05
    static let tick: UInt8 = 0x06
    static let notify: UInt8 = 0x07
  }

  let indexed: Set<UInt8> = [Register.tick]
  private let assumptions: FirmwareAssumptions
  private var timers: SlotTable<BoardTimer>

  init(_ board: Mainboard) {
    assumptions = board.assumptions
    timers = SlotTable(count: Int(board.model.extra(of: Self.id).first ?? 8))
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch (register, payload.count) {
    case (Register.create, 7):
      guard let timer = BoardTimer(payload), let slot = timers.insert(timer) else { return }
      board.acknowledge(Self.id, Register.create, [slot])
    case (Register.start, 1): timers[payload[0]]?.start(at: board.now)
    case (Register.stop, 1): timers[payload[0]]?.stop()
    case (Register.remove, 1): timers[payload[0]] = nil
    case (Register.notify, 2) where payload[1] <= 1: timers[payload[0]]?.notifies = payload[1] == 1
    default: break
    }
  }

  /// The modules are always enabled, whatever is written.
  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    switch (register, payload.count) {
    case (Register.enable, 0): [1]
    case (Register.create, 1) where assumptions.programsReadBack:
      timers[payload[0]]?.bytes ?? assumptions.emptySlotReply.payload
    default: nil
    }
  }

  func nextEvent(on board: Mainboard) -> Duration? { timers.compactMap { $0.value.nextTick }.min() }

  mutating func fire(on board: inout Mainboard) {
    for (slot, timer) in timers {
      guard let tick = timer.nextTick, tick <= board.now else { continue }
      timers[slot]?.tick()
      board.fire(SignalSource(module: Self.id, register: Register.tick, index: slot), [])
    }
  }

  func forwards(_ source: SignalSource, on board: Mainboard) -> Bool {
    timers[source.index]?.notifies ?? false
  }
}
