/// The graph of data processors (protocol reference 14).
struct ProcessorModule: FirmwareModule {
  static let id: UInt8 = 0x09
  static let name = "processor"
  static let consumesSignals = true

  private enum Register {
    static let enable: UInt8 = 0x01
    static let create: UInt8 = 0x02
    static let output: UInt8 = 0x03
    static let state: UInt8 = 0x04
    static let modify: UInt8 = 0x05
    static let remove: UInt8 = 0x06
    static let notify: UInt8 = 0x07
    static let removeAll: UInt8 = 0x08
  }

  /// What a notification holds behind the id.
  private static let longestOutput = 17

  let streams: Set<UInt8> = [Register.output]
  let indexed: Set<UInt8> = [Register.output, Register.state]
  private let assumptions: FirmwareAssumptions
  private var isEnabled = true
  private var slots: SlotTable<ProcessorSlot>
  /// Slots by what they listen to, whatever its index, so that a sample finds its way without a search.
  private var routes: [SignalSource: [UInt8]] = [:]

  init(_ board: Mainboard) {
    assumptions = board.assumptions
    slots = SlotTable(count: Int(board.model.extra(of: Self.id).first ?? 28))
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch (register, payload.count) {
    case (Register.enable, 1) where payload[0] <= 1: isEnabled = payload[0] == 1
    case (Register.create, _):
      guard let slot = ProcessorSlot(payload), let id = slots.insert(slot) else { return }
      board.acknowledge(Self.id, Register.create, [id])
    case (Register.state, 1...):
      slots.update(payload[0]) { $0.processor.setState(Array(payload.dropFirst())) }
    case (Register.modify, 2...):
      slots.update(payload[0]) { $0.modify(type: payload[1], configuration: Array(payload[2...])) }
    case (Register.remove, 1):
      // Refused while somebody builds on it.
      guard !slots.contains(where: { $0.slot != payload[0] && $0.value.builds(on: payload[0]) }) else {
        return
      }
      slots[payload[0]] = nil
    case (Register.notify, 2) where payload[1] <= 1:
      slots.update(payload[0]) { $0.notifies = payload[1] == 1 }
    case (Register.removeAll, 0): slots.removeAll()
    default: return
    }
    if register == Register.create || register == Register.remove || register == Register.removeAll {
      collectRoutes()
    }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    switch (register, payload.count) {
    case (Register.enable, 0): return [isEnabled ? 1 : 0]
    case (Register.create, 1) where assumptions.programsReadBack:
      return slots[payload[0]].map { padded($0.bytes) } ?? assumptions.emptySlotReply.payload
    case (Register.state, 1): return slots[payload[0]]?.processor.state.map { payload + $0 }
    default: return nil
    }
  }

  /// Both the register and the single processor must have been switched on (protocol reference 2.3).
  func forwards(_ source: SignalSource, on board: Mainboard) -> Bool {
    board.isSubscribed(Self.id, Register.output) && slots[source.index]?.notifies ?? false
  }

  var sources: Set<SignalSource> { Set(routes.keys) }

  mutating func receive(_ signal: Signal, on board: inout Mainboard) {
    guard isEnabled, let ids = routes[signal.source.ofAnyIndex] else { return }
    for id in ids {
      guard let source = slots[id]?.source,
        ReadForm.reaches(source, from: signal.source, as: .processor, on: board),
        let input = slots[id]?.input(of: signal.payload), let companions = takeCompanions(of: id)
      else { continue }
      let moment = ProcessorMoment(uptime: board.now - board.start.time, companions: companions)
      let output = slots.update(id) { $0.processor.process(input, moment) }
      guard let output = output.flatMap({ $0 }) else { continue }
      board.fire(
        SignalSource(module: Self.id, register: Register.output, index: id),
        Array(output.prefix(Self.longestOutput)))
    }
  }

  private func padded(_ bytes: [UInt8]) -> [UInt8] {
    guard assumptions.processorReadBackIsPadded else { return bytes }
    return bytes + [UInt8](repeating: 0, count: max(Packet.maximumLength - 2 - bytes.count, 0))
  }

  /// Nil while a companion keeps its processor waiting.
  private mutating func takeCompanions(of id: UInt8) -> [[UInt8]]? {
    guard let companions = slots[id]?.processor.companions, !companions.isEmpty else { return [] }
    let buffers = companions.map { slots[$0]?.processor as? BufferProcessor }
    if assumptions.fuserWaitsForAll, buffers.contains(where: { $0?.isFresh == false }) { return nil }
    for (slot, buffer) in zip(companions, buffers) {
      guard var taken = buffer else { continue }
      taken.markTaken()
      slots.update(slot) { $0.processor = taken }
    }
    return buffers.map { $0?.state ?? [] }
  }

  private mutating func collectRoutes() {
    routes = [:]
    for (id, slot) in slots {
      for source in ReadForm.accepted(for: slot.source) { routes[source.ofAnyIndex, default: []].append(id) }
    }
  }
}
