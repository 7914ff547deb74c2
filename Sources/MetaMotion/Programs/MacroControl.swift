import BoardKit
import FleetModel

/// Macros: recorded, run, listed, erased (MQTT contract 3.7).
struct MacroControl {
  let exchange: Exchange
  let inventory: Inventory

  /// Below this charge a macro that runs at start is refused: a board that dies in it may never start again.
  private static let leastCharge: UInt8 = 30

  /// Carries out one command; `programs` knows the names.
  func perform(
    _ command: ProgramCommand, for programs: ProgramControl
  ) async throws(ProtocolFailure) -> CommandOutcome {
    guard inventory.has(.macro) else {
      return .failed(CommandFailure(.unsupported, "this \(inventory.model.rawValue) has no macros"))
    }
    switch command {
    case .recordMacro(let name, let actions, let isRunAtBoot):
      return try await record(name, actions, isRunAtBoot: isRunAtBoot, for: programs)
    case .runMacro(let name):
      guard let slot = programs.macros[name] else { return ProgramControl.unknown("macro", name) }
      let isFinished = try await run(slot)
      return .done(
        evidence: isFinished ? .response : .writeAcknowledged, data: ["slot": .integer(Int64(slot))])
    case .eraseMacros(let includingForeign): return try await erase(includingForeign, for: programs)
    case .listMacros: return try await list(for: programs)
    default: return .failed(CommandFailure(.internal, "this is no command of macros"))
    }
  }

  private func record(
    _ name: String, _ actions: [BoardAction], isRunAtBoot: Bool, for programs: ProgramControl
  ) async throws(ProtocolFailure) -> CommandOutcome {
    guard programs.macros[name] == nil else { return ProgramControl.taken(name) }
    let commands: [[UInt8]]
    do throws(CommandFailure) {
      let compiler = try ProgramCompiler(programs.program, on: inventory, macros: programs.macros)
      let actionCompiler = ActionCompiler(
        board: inventory, chains: compiler.chains, slots: programs.owned, macros: programs.macros)
      let packets = try actionCompiler.packets(actions)
      guard packets.allSatisfy({ $0.token == nil }) else {
        throw .invalid("a macro has no trigger for a token")
      }
      commands = packets.map(\.bytes)
    } catch {
      return .failed(error)
    }
    // One that runs at start is tried in a slot of its own first: there is no arming what is recorded.
    if let refusal = try await refusal(of: isRunAtBoot ? 2 : 1, isRunAtBoot: isRunAtBoot) {
      return .failed(refusal)
    }
    if isRunAtBoot {
      let (rehearsal, _) = try await store(Macro(isRunAtBoot: false, commands: commands))
      _ = try await run(rehearsal)
    }
    let (slot, isVerified) = try await store(Macro(isRunAtBoot: isRunAtBoot, commands: commands))
    programs.macros[name] = slot
    return .done(
      evidence: isVerified ? .readback : .writeAcknowledged,
      data: [
        "slot": .integer(Int64(slot)), "packets": .integer(Int64(commands.count)),
        "verified": .bool(isVerified),
      ])
  }

  /// Why the board cannot take `needed` more macros; nil when it can.
  func refusal(of needed: Int, isRunAtBoot: Bool) async throws(ProtocolFailure) -> CommandFailure? {
    let stored = try await ResourceReader(exchange: exchange, inventory: inventory).macros().count
    let room = Int(inventory.modules[.macro]?.extra.first ?? 0) - stored
    guard room >= needed else {
      return CommandFailure(
        .noSlots, "the board has \(room) free slots for macros; \(needed) are needed",
        data: ["needed": .integer(Int64(needed)), "free": .integer(Int64(room))])
    }
    guard isRunAtBoot else { return nil }
    let battery = Battery(try await exchange.ask(Battery.state))
    guard let battery, battery.percent >= Self.leastCharge else {
      return CommandFailure(
        .lowBattery, "a macro that runs at start needs a charge of \(Self.leastCharge) %")
    }
    return nil
  }

  /// Stores a macro; tells its slot, and whether it was read back.
  func store(_ macro: Macro) async throws(ProtocolFailure) -> (slot: UInt8, isVerified: Bool) {
    let slot = try await exchange.create([macro.begin], answer: Macro.beginning)
    for packet in macro.contents { try await exchange.tell(packet) }
    for (place, command) in macro.commands.enumerated() {
      let question = Macro.addition.read(slot, UInt8(clamping: place))
      guard let reply = try await exchange.probe(question, answer: Macro.addition.answer()) else {
        return (slot, false)
      }
      // An answer holds what fits a packet.
      guard let held = Macro.command(reply), held.elementsEqual(command.prefix(18)) || held == command else {
        throw .unexpected("command \(place) of macro \(slot) is \(reply.hex) instead of \(command.hex)")
      }
    }
    return (slot, true)
  }

  /// Runs a macro; tells whether the board said that it has finished.
  private func run(_ slot: UInt8) async throws(ProtocolFailure) -> Bool {
    try await exchange.tell(Macro.tell(slot, true))
    let pattern = AnswerPattern([Macro.finished.write(slot)], "the end of macro \(slot)")
    let notice = try await exchange.probe(Macro.run(slot), answer: pattern, within: .seconds(5))
    return notice != nil
  }

  private func erase(
    _ includingForeign: Bool, for programs: ProgramControl
  ) async throws(ProtocolFailure) -> CommandOutcome {
    let stored = try await ResourceReader(exchange: exchange, inventory: inventory).macros()
    let ours = Set(programs.macros.values)
    let foreign = stored.keys.filter { !ours.contains($0) }.sorted()
    guard includingForeign || foreign.isEmpty else {
      return .failed(
        .invalid(
          "macros of others are stored in \(foreign.map { "\($0)" }.joined(separator: ", ")); there is no erasing of "
            + "one: set foreign to erase them, too"))
    }
    try await exchange.tell(Macro.eraseAll)
    programs.macros = [:]
    // The erasing waits for the end of the link.
    let outcome = try await Leaving(exchange: exchange).leave(by: Debug.disconnect)
    guard case .done = outcome else { return outcome }
    return .done(evidence: .writeAcknowledged, data: ["erased": .integer(Int64(stored.count))])
  }

  private func list(for programs: ProgramControl) async throws(ProtocolFailure) -> CommandOutcome {
    let stored = try await ResourceReader(exchange: exchange, inventory: inventory).macros()
    let rows = stored.sorted { $0.key < $1.key }.map { slot, header -> JSONValue in
      let name = programs.macros.first { $0.value == slot }?.key
      var row: JSONObject = ["slot": .integer(Int64(slot))]
      row["name"] = name.map { .string($0) }
      row["at_boot"] = .bool(header.isRunAtBoot)
      row["packets"] = .integer(Int64(header.length))
      row["owner"] = name == nil ? "foreign" : "ours"
      return .object(row)
    }
    return .done(evidence: .response, data: ["macros": .array(rows)])
  }
}
