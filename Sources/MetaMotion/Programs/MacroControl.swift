import BoardKit
import FleetModel

/// Macros: recorded, run, listed, erased (MQTT contract 3.7).
struct MacroControl {
  let exchange: Exchange
  let inventory: Inventory

  /// Below this charge a macro that runs at start is refused: a board that dies in it may never start again.
  private static let leastCharge: UInt8 = 30
  /// How long a board that ran a macro may take to show that it lives.
  private static let lifeLimit = Duration.seconds(5)

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
      guard let slot = programs.macros[name] else {
        return .failed(
          .invalid(
            "the board has no macro \(name) of this gateway: it was never recorded, or was erased or replaced"
          ))
      }
      // What it does may fill slots.
      defer { programs.forgetResources() }
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
    let earlier = programs.memory.startMacros(before: name)
    let (commands, tried, needsSlots): ([[UInt8]], [[UInt8]], Bool)
    do throws(CommandFailure) {
      (commands, tried, needsSlots) = try compile(
        actions, isRunAtBoot: isRunAtBoot, behind: earlier, for: programs)
    } catch {
      return .failed(error)
    }
    let remembered = programs.memory.macros.count
    let contents = Dictionary(programs.memory.macros.values.map { ($0.slot, $0.macro) }) { first, _ in first }
    if isRunAtBoot, let trap = StartTrap(commands, macros: contents, behind: earlier).reason {
      return .failed(.invalid("\(trap); record it without at_boot"))
    }
    let macro = Macro(isRunAtBoot: isRunAtBoot, commands: commands)
    let compared = try await programs.compareMacros(on: inventory)
    guard !isRunAtBoot || programs.memory.macros.count == remembered else {
      // Others replaced what was just judged by; what is gone is forgotten, so that this ends.
      return try await record(name, actions, isRunAtBoot: isRunAtBoot, for: programs)
    }
    if let known = programs.memory.macros[name] {
      guard known.macro == macro else {
        return .failed(
          .invalid("\(name) is recorded with other actions; erase the macros first, or use another name"))
      }
      return Self.recorded(macro, in: known.slot, isVerified: compared != nil)
    }
    let stored = compared ?? programs.rememberedHeaders
    if needsSlots, let foreign = Self.foreignAtStart(stored, programs) {
      return .failed(
        .invalid(
          "macro \(foreign) of somebody else runs at start, too, so nobody knows which slots it leaves; erase it first"
        ))
    }
    if let refusal = try await refusal(of: 1, beside: stored.count, isRunAtBoot: isRunAtBoot) {
      return .failed(refusal)
    }
    if isRunAtBoot {
      // Whatever the trial made stands in slots.
      defer { programs.forgetResources() }
      if let refusal = try await tryOut(tried) { return .failed(refusal) }
    }
    let (slot, differences) = try await store(macro, name, for: programs)
    if let difference = differences?.first {
      guard isRunAtBoot else {
        return .failed(CommandFailure(.boardError, "\(difference); erase the macros"))
      }
      return try await withdraw(difference, isAlone: stored.isEmpty, for: programs)
    }
    return Self.recorded(macro, in: slot, isVerified: differences != nil)
  }

  /// The packets, those that can be tried before, and whether they rest on slots that are free at a start.
  private func compile(
    _ actions: [BoardAction], isRunAtBoot: Bool, behind earlier: [Macro], for programs: ProgramControl
  ) throws(CommandFailure) -> (all: [[UInt8]], tried: [[UInt8]], needsSlots: Bool) {
    let parts = try MacroProgram(actions)
    if isRunAtBoot, !parts.program.isEmpty {
      let (all, others) = try parts.commands(
        on: inventory, macros: programs.macros, streams: programs.streams, behind: earlier)
      // Now the slots are not those of a start: what rests on them would change something else.
      return (all, parts.needsSlots ? others : all, parts.needsSlots)
    }
    let compiler = try programs.compile(programs.program, on: inventory)
    let packets = try compiler.actionCompiler(programs.owned).packets(actions)
    guard packets.allSatisfy({ $0.token == nil }) else { throw MacroProgram.noTrigger }
    return (packets.map(\.bytes), packets.map(\.bytes), false)
  }

  /// The first slot with a macro of somebody else that runs at start.
  private static func foreignAtStart(_ stored: [UInt8: Macro.Header], _ programs: ProgramControl) -> UInt8? {
    let ours = Set(programs.macros.values)
    return stored.filter { $0.value.isRunAtBoot && !ours.contains($0.key) }.keys.min()
  }

  /// Takes an armed macro back that is not what was to be stored, while that takes nothing else along (fault F49).
  private func withdraw(
    _ difference: String, isAlone: Bool, for programs: ProgramControl
  ) async throws(ProtocolFailure) -> CommandOutcome {
    guard isAlone else {
      return .failed(
        CommandFailure(.boardError, "\(difference); it runs at the next start: erase the macros before"))
    }
    try await exchange.write(Macro.eraseAll)
    programs.forgetMacros()
    // The erasing waits for the end of the link.
    _ = try await DisconnectingCommands(exchange: exchange).leave(by: Debug.disconnect)
    return .failed(CommandFailure(.boardError, "\(difference); it was erased again"))
  }

  private static func recorded(_ macro: Macro, in slot: UInt8, isVerified: Bool) -> CommandOutcome {
    .done(
      evidence: isVerified ? .readback : .writeAcknowledged,
      data: [
        "slot": .integer(Int64(slot)), "packets": .integer(Int64(macro.commands.count)),
        "verified": .bool(isVerified),
      ])
  }

  /// Why the board cannot take `needed` more macros beside those that are stored; nil when it can.
  func refusal(
    of needed: Int, beside stored: Int, isRunAtBoot: Bool
  ) async throws(ProtocolFailure) -> CommandFailure? {
    let room = Int(inventory.modules[.macro]?.extra.first ?? 0) - stored
    guard room >= needed else {
      return CommandFailure(
        .noSlots,
        "the board has \(CountText.of(room, "free slot")) for macros instead of the \(needed) needed",
        data: ["needed": .integer(Int64(needed)), "free": .integer(Int64(room))])
    }
    guard isRunAtBoot else { return nil }
    let battery = Battery(try await exchange.ask(Battery.state.register))
    guard let battery, battery.percent >= Self.leastCharge else {
      return CommandFailure(.lowBattery, "a macro that runs at start needs a charge of \(Self.leastCharge) %")
    }
    return nil
  }

  /// Has the board do once what it shall do at every start: whatever makes it fall silent does so before it is armed
  /// (fault F49). Returns why it must not be armed.
  private func tryOut(_ commands: [[UInt8]]) async throws(ProtocolFailure) -> CommandFailure? {
    for command in commands { try await exchange.write(command) }
    guard try await exchange.probe(LogClock.now, within: Self.lifeLimit) != nil else {
      return CommandFailure(
        .boardError, "the board stopped answering when the macro's actions were tried; it was not recorded")
    }
    return nil
  }

  /// Stores a macro under a name; tells its slot, and what of it reads back otherwise, nil of a board that does not
  /// tell.
  func store(
    _ macro: Macro, _ name: String, for programs: ProgramControl
  ) async throws(ProtocolFailure) -> (slot: UInt8, differences: [String]?) {
    let slot = try await exchange.create([macro.begin], answer: Macro.beginning)
    for packet in macro.contents { try await exchange.write(packet) }
    programs.remember(macro, name, in: slot)
    let reader = ResourceReader(exchange: exchange, inventory: inventory)
    let differences = try await reader.differences(of: macro, in: slot)
    return (slot, differences)
  }

  /// Runs a macro; tells whether the board said that it has finished.
  private func run(_ slot: UInt8) async throws(ProtocolFailure) -> Bool {
    try await exchange.write(Macro.setNotification(slot, true))
    let pattern = AnswerPattern([Macro.finished.write(slot)], "the end of macro \(slot)")
    let notice = try await exchange.probe(Macro.run(slot), answer: pattern, within: .seconds(5))
    return notice != nil
  }

  private func erase(
    _ includingForeign: Bool, for programs: ProgramControl
  ) async throws(ProtocolFailure) -> CommandOutcome {
    let stored = try await programs.compareMacros(on: inventory)
    let ours = Set(programs.macros.values)
    let foreign = (stored ?? [:]).keys.filter { !ours.contains($0) }.sorted()
    guard includingForeign || foreign.isEmpty else {
      return .failed(
        .invalid(
          "macros of others are stored in \(foreign.map { "\($0)" }.joined(separator: ", ")); there is no erasing of "
            + "one: set foreign to erase them, too"))
    }
    let count = (stored ?? programs.rememberedHeaders).count
    try await exchange.write(Macro.eraseAll)
    // Where the board tells, the next link sees whether they are gone.
    if stored == nil { programs.forgetMacros() }
    // The erasing waits for the end of the link.
    let outcome = try await DisconnectingCommands(exchange: exchange).leave(by: Debug.disconnect)
    guard case .done = outcome else { return outcome }
    return .done(evidence: .writeAcknowledged, data: ["erased": .integer(Int64(count))])
  }

  /// What the board tells; where it tells nothing, what we remember, and that it is only that.
  private func list(for programs: ProgramControl) async throws(ProtocolFailure) -> CommandOutcome {
    let stored = try await programs.compareMacros(on: inventory)
    let rows = (stored ?? programs.rememberedHeaders).sorted { $0.key < $1.key }.map {
      slot, header -> JSONValue in
      let name = programs.macros.first { $0.value == slot }?.key
      var row: JSONObject = ["slot": .integer(Int64(slot))]
      row["name"] = name.flatMap { ProgramControl.isGiven($0) ? .string($0) : nil }
      row["at_boot"] = .bool(header.isRunAtBoot)
      row["packets"] = .integer(Int64(header.length))
      row["owner"] = name == nil ? "foreign" : "ours"
      return .object(row)
    }
    var data: JSONObject = ["macros": .array(rows)]
    guard stored == nil else { return .done(evidence: .response, data: data) }
    data["source"] = "memory"
    return .done(evidence: nil, data: data)
  }
}
