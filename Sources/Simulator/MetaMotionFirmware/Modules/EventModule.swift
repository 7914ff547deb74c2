/// "When this fires, do that" (protocol reference 15).
struct EventModule: FirmwareModule {
  static let id: UInt8 = 0x0A
  static let name = "event"
  static let consumesSignals = true

  private enum Register {
    static let enable: UInt8 = 0x01
    static let entry: UInt8 = 0x02
    static let parameters: UInt8 = 0x03
    static let remove: UInt8 = 0x04
    static let removeAll: UInt8 = 0x05
  }

  private let assumptions: FirmwareAssumptions
  private var entries: SlotTable<EventEntry>
  /// The entry whose parameters come next.
  private var begun: UInt8?

  init(_ board: Mainboard) {
    assumptions = board.assumptions
    entries = SlotTable(count: Int(board.model.extra(of: Self.id).first ?? 28))
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch (register, payload.count) {
    case (Register.entry, _):
      guard let entry = EventEntry(payload), let slot = entries.insert(entry) else { return }
      begun = slot
      // The answer to the first of the two packets; hosts that expect it after the second take it as well.
      if !assumptions.eventIDFollowsParameters { board.acknowledge(Self.id, Register.entry, [slot]) }
    case (Register.parameters, _):
      guard let slot = begun else { return }
      entries[slot]?.complete(with: payload)
      begun = nil
      if assumptions.eventIDFollowsParameters { board.acknowledge(Self.id, Register.entry, [slot]) }
    case (Register.remove, 1): entries[payload[0]] = nil
    case (Register.removeAll, 0): entries.removeAll()
    default: break
    }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    if register == Register.enable { return payload.isEmpty ? [1] : nil }
    guard payload.count == 1, assumptions.programsReadBack else { return nil }
    switch register {
    case Register.entry: return entries[payload[0]]?.header ?? assumptions.emptySlotReply.payload
    case Register.parameters: return entries[payload[0]]?.parameters ?? assumptions.emptySlotReply.payload
    default: return nil
    }
  }

  var sources: Set<SignalSource> { Set(entries.map(\.value.source)) }

  mutating func receive(_ signal: Signal, on board: inout Mainboard) {
    for (_, entry) in entries where entry.source == signal.source {
      guard let command = entry.command(for: signal.payload) else { continue }
      board.errands.append(.perform(command))
    }
  }
}
