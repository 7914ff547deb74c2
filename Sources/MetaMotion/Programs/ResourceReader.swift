import BoardKit
import FleetModel

/// Reads what stands in the slots of a board, whoever put it there.
struct ResourceReader {
  let exchange: Exchange
  let inventory: Inventory

  /// Some firmware says nothing of an empty slot (trap T14; protocol reference, section 41); after this many in a row
  /// the rest of a kind counts as empty, too.
  private static let mostSilences = 2

  /// Processors, timers and events.
  func resources() async throws(ProtocolFailure) -> BoardResources {
    var onBoard = BoardResources()
    try await readProcessors(into: &onBoard)
    try await readTimers(into: &onBoard)
    try await readEvents(into: &onBoard)
    return onBoard
  }

  /// Slots of one kind alone.
  func resources(of kind: ResourceKey.Kind) async throws(ProtocolFailure) -> BoardResources {
    var onBoard = BoardResources()
    switch kind {
    case .processors: try await readProcessors(into: &onBoard)
    case .timers: try await readTimers(into: &onBoard)
    case .events: try await readEvents(into: &onBoard)
    case .loggers: try await readLoggers(into: &onBoard)
    }
    return onBoard
  }

  private func readProcessors(into onBoard: inout BoardResources) async throws(ProtocolFailure) {
    try await each(of: .processor, Processor.creation) { slot, reply in
      onBoard.answered.insert(.processors)
      if let definition = ProcessorDefinition(reply, on: inventory.processorDialect) {
        onBoard.processors[slot] = definition
      } else if reply.count > 6, reply[6] != 0xFF {
        onBoard.unreadable[.processors, default: []].insert(slot)
      }
    }
  }

  private func readTimers(into onBoard: inout BoardResources) async throws(ProtocolFailure) {
    try await each(of: .timer, BoardTimer.creation) { slot, reply in
      onBoard.answered.insert(.timers)
      if let timer = BoardTimer(reply) { onBoard.timers[slot] = timer }
    }
  }

  private func readEvents(into onBoard: inout BoardResources) async throws(ProtocolFailure) {
    var entries: [UInt8: [UInt8]] = [:]
    try await each(of: .event, EventEntry.creation) { slot, reply in
      onBoard.answered.insert(.events)
      if reply.count >= 8, reply[2] != 0xFF { entries[slot] = reply }
    }
    for (slot, entry) in entries.sorted(by: { $0.key < $1.key }) {
      let question = EventEntry.parameters.read(slot)
      let parameters = try await exchange.probe(question, answer: EventEntry.parameters.answer())
      if let read = EventEntry(entry, parameters: parameters ?? EventEntry.parameters.read()) {
        onBoard.events[slot] = read
      } else {
        onBoard.unreadable[.events, default: []].insert(slot)
      }
    }
  }

  /// Loggers, into what was read already.
  func readLoggers(into onBoard: inout BoardResources) async throws(ProtocolFailure) {
    var loggers: [UInt8: LoggerEntry] = [:]
    var (unreadable, hasAnswered): (Set<UInt8>, Bool) = ([], false)
    try await each(of: .logging, LoggerEntry.creation) { slot, reply in
      hasAnswered = true
      if let logger = LoggerEntry(reply) {
        loggers[slot] = logger
      } else if reply.count > 5, reply[2] != 0xFF {
        unreadable.insert(slot)
      }
    }
    onBoard.loggers = loggers
    onBoard.unreadable[.loggers] = unreadable
    if hasAnswered { onBoard.answered.insert(.loggers) }
  }

  /// Headers of the macros; nil of a board that tells nothing of them, as old firmware does (section 19).
  func macros() async throws(ProtocolFailure) -> [UInt8: Macro.Header]? {
    var macros: [UInt8: Macro.Header] = [:]
    var isAnswered = false
    try await each(of: .macro, Macro.beginning) { slot, reply in
      isAnswered = true
      macros[slot] = Macro.header(reply, of: slot)
    }
    return isAnswered ? macros : nil
  }

  /// Where the commands of a slot are not those of `macro`, in words; nil of a board that does not tell.
  func differences(of macro: Macro, in slot: UInt8) async throws(ProtocolFailure) -> [String]? {
    var differences: [String] = []
    for (place, command) in macro.commands.enumerated() {
      let question = Macro.addition.read(slot, UInt8(clamping: place))
      guard let reply = try await exchange.probe(question, answer: Macro.addition.answer()) else {
        return nil
      }
      // An answer holds what fits a packet.
      guard let onBoard = Macro.command(reply),
        onBoard.elementsEqual(command.prefix(18)) || onBoard == command
      else {
        differences.append("command \(place) of macro \(slot) is \(reply.hex) instead of \(command.hex)")
        continue
      }
    }
    return differences
  }

  /// Asks for every slot of a module. Answers of creations' registers do not repeat the slot.
  private func each(
    of module: Module, _ register: Register, _ take: (UInt8, [UInt8]) -> Void
  ) async throws(ProtocolFailure) {
    guard inventory.has(module) else { return }
    var silences = 0
    for slot in 0..<(inventory.modules[module]?.extra.first ?? 0) where silences < Self.mostSilences {
      let reply = try await exchange.probe(register.read(slot), answer: register.answer())
      silences = reply == nil ? silences + 1 : 0
      if let reply { take(slot, reply) }
    }
  }
}
