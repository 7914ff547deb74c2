/// Commands in flash memory, run at boot or on demand (protocol reference 19).
struct MacroModule: FirmwareModule {
  static let id: UInt8 = 0x0F
  static let name = "macro"

  private enum Register {
    static let enable: UInt8 = 0x01
    static let begin: UInt8 = 0x02
    static let command: UInt8 = 0x03
    static let end: UInt8 = 0x04
    static let execute: UInt8 = 0x05
    static let notify: UInt8 = 0x06
    static let finished: UInt8 = 0x07
    static let eraseAll: UInt8 = 0x08
    static let partial: UInt8 = 0x09
  }

  private struct Macro: Sendable {
    let runsAtBoot: Bool
    var commands: [[UInt8]] = []
    var notifies = false
  }

  /// One byte counts them.
  private static let mostCommands = 255

  let indexed: Set<UInt8> = [Register.finished]
  private let assumptions: FirmwareAssumptions
  private var macros: SlotTable<Macro>
  private var recording: UInt8?
  /// The first bytes of the next command.
  private var partial: [UInt8] = []
  private var isErasePending = false

  init(_ board: Mainboard) {
    assumptions = board.assumptions
    macros = SlotTable(count: Int(board.model.extra(of: Self.id).first ?? 8))
  }

  /// Macros stay; that they are to be erased is carried out now at the latest.
  mutating func reset(on board: inout Mainboard) {
    collectGarbage()
    let kept = macros
    self = Self(board)
    for (slot, macro) in kept {
      macros[slot] = Macro(runsAtBoot: macro.runsAtBoot, commands: macro.commands)
    }
  }

  mutating func boot(on board: inout Mainboard) {
    for (slot, macro) in macros where macro.runsAtBoot { execute(slot, on: &board) }
  }

  mutating func linkGone(on board: inout Mainboard) { collectGarbage() }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch (register, payload.count) {
    case (Register.begin, 1) where payload[0] <= 1:
      guard let slot = macros.insert(Macro(runsAtBoot: payload[0] == 1)) else { return }
      recording = slot
      partial = []
      board.acknowledge(Self.id, Register.begin, [slot])
    case (Register.partial, 2) where recording != nil: partial = payload
    case (Register.command, 1...): record(payload)
    case (Register.end, 0): recording = nil
    case (Register.execute, 1): execute(payload[0], on: &board)
    case (Register.notify, 2) where payload[1] <= 1: macros[payload[0]]?.notifies = payload[1] == 1
    case (Register.eraseAll, 0): isErasePending = true
    default: break
    }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    if register == Register.enable { return payload.isEmpty ? [1] : nil }
    guard assumptions.programsReadBack, let slot = payload.first else { return nil }
    switch (register, payload.count) {
    case (Register.begin, 1):
      guard let macro = macros[slot] else { return assumptions.emptySlotReply.payload }
      return [slot, macro.runsAtBoot ? 1 : 0, UInt8(macro.commands.count)]
    case (Register.command, 2):
      guard let macro = macros[slot], Int(payload[1]) < macro.commands.count else {
        return assumptions.emptySlotReply.payload
      }
      return Array(macro.commands[Int(payload[1])].prefix(Packet.maximumLength - 2))
    default: return nil
    }
  }

  func forwards(_ source: SignalSource, on board: Mainboard) -> Bool {
    macros[source.index]?.notifies ?? false
  }

  private mutating func record(_ bytes: [UInt8]) {
    let command = partial + bytes
    partial = []
    guard let slot = recording, command.count >= 2, (macros[slot]?.commands.count ?? 0) < Self.mostCommands
    else { return }
    macros[slot]?.commands.append(command)
  }

  private mutating func execute(_ slot: UInt8, on board: inout Mainboard) {
    guard let macro = macros[slot] else { return }
    board.errands += macro.commands.compactMap(Packet.init).map { .perform($0) }
    board.fire(SignalSource(module: Self.id, register: Register.finished, index: slot), [])
  }

  private mutating func collectGarbage() {
    guard isErasePending else { return }
    macros.removeAll()
    recording = nil
    isErasePending = false
  }
}
