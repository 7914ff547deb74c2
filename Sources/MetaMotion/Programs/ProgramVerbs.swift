import BoardKit
import FleetModel

/// The verbs of timers, events, processors and macros (MQTT contract 3.7, 3.8): what a command means for the board's
/// program, and what is answered when that was brought about.
struct ProgramVerbs {
  let programs: ProgramControl
  let board: Inventory

  private var program: BoardProgram { programs.program }
  private var owned: ResourceSlots { programs.owned }
  private var exchange: Exchange { programs.exchange }

  /// Carries out one command.
  func perform(_ command: ProgramCommand) async throws(ProtocolFailure) -> CommandOutcome {
    switch command {
    case .createTimer(let name, let timer, _):
      if let known = program.timers[name], !known.ticks(like: timer) { return Self.taken(name) }
      var wanted = program
      wanted.timers[name] = timer
      return try await create(wanted, .timer(name))
    case .startTimer(let name): return try await start(name, true)
    case .stopTimer(let name): return try await start(name, false)
    case .removeTimer(.name(let name)):
      var wanted = program
      guard wanted.remove(timer: name) else { return Self.unknown("timer", name) }
      return try await remove(wanted)
    case .bindEvent(let name, let event, _):
      if let known = program.events[name], known != event { return Self.taken(name) }
      var wanted = program
      wanted.events[name] = event
      return try await bind(wanted, name)
    case .removeEvent(.name(let name)):
      var wanted = program
      guard wanted.events.removeValue(forKey: name) != nil else { return Self.unknown("event", name) }
      return try await remove(wanted)
    case .createChain(let name, let chain, _):
      if chain.outputs.contains(.log) {
        // Loggers, and a log that runs, are the business of the log's verbs; to say done would promise both.
        return .failed(
          .invalid(
            "processor-create does not log: leave log out of \"to\", and name \(name) to log-start behind it")
        )
      }
      if let known = program.chains[name], known != chain { return Self.taken(name) }
      var wanted = program
      wanted.chains[name] = chain
      return try await createChain(wanted, name)
    case .changeProcessor(let change): return try await self.change(change)
    case .removeChain(.name(let name)):
      var wanted = program
      guard wanted.chains.removeValue(forKey: name) != nil else { return Self.unknown("chain", name) }
      return try await remove(wanted)
    case .removeTimer(.all(let includingForeign)):
      var wanted = program
      for name in program.timers.keys { wanted.remove(timer: name) }
      return try await clear(.timers, leaving: wanted, includingForeign: includingForeign)
    case .removeEvent(.all(let includingForeign)):
      var wanted = program
      wanted.events = [:]
      return try await clear(.events, leaving: wanted, includingForeign: includingForeign)
    case .removeChain(.all(let includingForeign)):
      var wanted = program
      wanted.chains = [:]
      return try await clear(.processors, leaving: wanted, includingForeign: includingForeign)
    case .removeTimer(.slot(let slot)): return try await removeForeign(.timers, slot)
    case .removeEvent(.slot(let slot)): return try await removeForeign(.events, slot)
    case .removeChain(.slot(let slot)): return try await removeForeign(.processors, slot)
    case .removeLogger(let slot): return try await removeForeign(.loggers, slot)
    case .listProcessors: return try await listProcessors()
    case .recordMacro, .runMacro, .eraseMacros, .listMacros:
      return try await MacroControl(exchange: exchange, inventory: board).perform(command, for: programs)
    }
  }

  static func unknown(_ kind: String, _ name: String) -> CommandOutcome {
    .failed(.invalid("there is no \(kind) \(name) on this board"))
  }

  static func taken(_ name: String) -> CommandOutcome {
    .failed(.invalid("\(name) is defined differently; remove it first"))
  }

  /// Brings a program about, and answers with what came of it.
  private func apply(
    _ wanted: BoardProgram, failing failure: (CommandFailure) -> CommandFailure = { $0 },
    _ answer: (ProgramControl.Change) -> CommandOutcome
  ) async throws(ProtocolFailure) -> CommandOutcome {
    switch try await programs.apply(wanted, on: board) {
    case .failure(let reason): .failed(failure(reason))
    case .success(let change): answer(change)
    }
  }

  private func create(
    _ wanted: BoardProgram, _ key: ResourceKey
  ) async throws(ProtocolFailure) -> CommandOutcome {
    try await apply(wanted) { _ in
      guard case .timer(let name) = key, let slot = owned[key] else {
        return .done(evidence: .response, data: [:])
      }
      return .done(
        evidence: .response,
        data: ["slot": .integer(Int64(slot)), "event_slots": eventSlots(of: ProgramCompiler.ticks(of: name))])
    }
  }

  private func bind(
    _ wanted: BoardProgram, _ name: String
  ) async throws(ProtocolFailure) -> CommandOutcome {
    try await apply(wanted) { change in
      let processors = change.created.filter { $0.kind == .processors }.compactMap { owned[$0] }
      return .done(
        evidence: .response, data: ["event_slots": eventSlots(of: name), "processors": Self.list(processors)])
    }
  }

  private func createChain(
    _ wanted: BoardProgram, _ name: String
  ) async throws(ProtocolFailure) -> CommandOutcome {
    try await apply(wanted) { change in
      let keys = change.compiler.keys.filter { if case .processor(name, _) = $0 { true } else { false } }
      var data: JSONObject = ["processors": Self.list(keys.compactMap { owned[$0] })]
      if wanted.chains[name]?.outputs.contains(.stream) == true, programs.outputs[name] != nil {
        data["stream"] = .string(name)
      }
      if let fields = change.compiler.chains.fields(of: name) {
        data["fields"] = fields.json
        data["unit"] = .string(fields.unit)
      }
      return .done(evidence: change.isProved ? .readback : .response, data: data)
    }
  }

  private func remove(
    _ wanted: BoardProgram
  ) async throws(ProtocolFailure) -> CommandOutcome {
    try await apply(wanted, failing: { .invalid("it is still needed: \($0.message)") }) { change in
      var data: JSONObject = ["removed": Self.words(change.removed)]
      // Not ours to take: others made it, or build on it.
      if !change.left.isEmpty {
        data["left"] = .array(change.left.map(Self.left))
      }
      // Where nothing went, nothing was read to be gone.
      let isProved = change.isRemovalProved && !change.removed.isEmpty
      return .done(evidence: isProved ? .readback : .linkWrite, data: data)
    }
  }

  /// A slot with its kind, as replies name it.
  static func left(_ removal: ProgramPlan.Removal) -> JSONValue {
    .string("\(removal.key.kind.rawValue.dropLast())/\(removal.slot)")
  }

  /// Slots, as replies name them: processors alone by their numbers, otherwise each with its kind.
  static func words(_ removals: [ProgramPlan.Removal]) -> JSONValue {
    guard !removals.allSatisfy({ $0.key.kind == .processors }) else {
      return list(removals.map(\.slot))
    }
    return .array(
      removals.map { removal in
        // A timer that others made has no name.
        if case .timer(let name) = removal.key, !name.isEmpty {
          .string("timer/\(name)")
        } else {
          left(removal)
        }
      })
  }

  private func clear(
    _ kind: ResourceKey.Kind, leaving wanted: BoardProgram, includingForeign: Bool
  ) async throws(ProtocolFailure) -> CommandOutcome {
    let outcome = try await remove(wanted)
    guard includingForeign else { return outcome }
    return try await ForeignRemoval(programs: programs, board: board).clear(kind, behind: outcome)
  }

  private func removeForeign(
    _ kind: ResourceKey.Kind, _ slot: UInt8
  ) async throws(ProtocolFailure) -> CommandOutcome {
    try await ForeignRemoval(programs: programs, board: board).remove(kind, slot)
  }

  private func start(_ name: String, _ isOn: Bool) async throws(ProtocolFailure) -> CommandOutcome {
    guard let slot = owned[.timer(name)] else { return Self.unknown("timer", name) }
    try await exchange.write(isOn ? BoardTimer.start(slot) : BoardTimer.stop(slot))
    programs.note(timer: name, isStarted: isOn)
    return .done(evidence: .linkWrite, data: ["slot": .integer(Int64(slot))])
  }

  private func change(
    _ change: ProcessorChange
  ) async throws(ProtocolFailure) -> CommandOutcome {
    let packet: [UInt8]
    let slot: UInt8
    let isMoving: Bool
    var step: ChainStep?
    do throws(CommandFailure) {
      let actions = try programs.compile(program, on: board).actionCompiler(owned)
      let (planned, _, place) = try actions.processor(of: change)
      (slot, isMoving) = (place, planned.operation.isMoving)
      packet = try actions.processor(change)
      if case .parameters(let parameters) = change.change { step = try actions.step(parameters, of: change) }
    } catch {
      return .failed(error)
    }
    try await exchange.write(packet)
    var evidence = Evidence.linkWrite
    if let step { programs.remember(change, step, on: board) }
    if case .state = change.change,
      let reply = try await exchange.probe(Processor.state, slot),
      let onBoard = Processor.state(reply, of: slot)
    {
      let isKept = onBoard.starts(with: packet.dropFirst(3))
      // What samples change may have gone on before it was read: no proof that it was set, nor that it was not.
      guard isKept || isMoving else {
        throw .unexpected(
          "processor \(slot) keeps \(onBoard.hex) instead of \(Array(packet.dropFirst(3)).hex)")
      }
      if isKept { evidence = .readback }
    }
    return .done(evidence: evidence, data: ["processor": .integer(Int64(slot))])
  }

  private func listProcessors() async throws(ProtocolFailure) -> CommandOutcome {
    programs.forgetResources()
    let onBoard = try await programs.resources(on: board)
    let graph = ProcessorGraph(slots: onBoard.processors, chip: board.accelerometer?.chip)
    let rows = onBoard.processors.sorted { $0.key < $1.key }.map { slot, definition -> JSONValue in
      let key = owned.key(of: .processors, in: slot)
      var row: JSONObject = ["slot": .integer(Int64(slot))]
      if case .processor(let name, _)? = key { row["name"] = .string(name) }
      row["type"] = .string(definition.operation.name)
      row["from"] = .string(graph.name(of: definition.source, definition.slice))
      row["owner"] = key == nil ? "foreign" : "ours"
      row["hex"] = .string(definition.operation.bytes.hex)
      return .object(row)
    }
    return .done(evidence: .response, data: ["processors": .array(rows)])
  }

  private func eventSlots(of name: String) -> JSONValue {
    let slots = owned.byKey.compactMap { key, slot -> (Int, UInt8)? in
      if case .event(name, let place) = key { (place, slot) } else { nil }
    }
    return Self.list(slots.sorted { $0.0 < $1.0 }.map(\.1))
  }

  static func list(_ slots: [UInt8]) -> JSONValue { .array(slots.map { .integer(Int64($0)) }) }
}
