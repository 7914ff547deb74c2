import BoardKit
import FleetModel

/// Brings one board to the program that is wanted, and remembers which slots are ours.
final class ProgramControl {
  let exchange: Exchange
  /// What is wanted, by our names.
  private(set) var program = BoardProgram()
  /// What of it is on the board.
  private(set) var owned = ResourceSlots()
  /// Slots of macros by our names.
  var macros: [String: UInt8] { memory.macros.mapValues(\.slot) }
  /// What actions can start and stop.
  var streams = ConfiguredStreams()
  /// What is worth remembering for the next link.
  var memory = ProgramMemory()
  /// All that events do.
  private(set) var actions: Set<[UInt8]> = []
  /// Whether what was remembered was compared with the board.
  private var areSlotsRecalled = false
  var areMacrosRecalled = false
  /// What the board holds; nil while that is not known.
  private var onBoard: BoardResources?
  /// What the chains on the board yield, by name.
  private(set) var outputs: [String: ChainOutput] = [:]
  /// What is logged of what is wanted.
  private(set) var logged: [LoggedStream] = []
  /// All slots that hold loggers, whoever made them; nil while that is not known.
  private(set) var loggerSlots: Set<UInt8>?
  /// Processors and timers whose slots were filled since somebody asked.
  private var filled: Set<SensorRun.Unit> = []

  init(exchange: Exchange) { self.exchange = exchange }

  /// Takes what an earlier link left.
  func begin(remembering memory: ProgramMemory) { self.memory = memory }

  /// Compares what was remembered with what the board holds, once per link.
  func recall(in onBoard: BoardResources) {
    guard !areSlotsRecalled else { return }
    areSlotsRecalled = true
    owned = memory.owned(in: onBoard)
    memory.places = memory.places.filter { owned[$0.key] != nil }
  }

  private func own(_ key: ResourceKey, _ slot: UInt8, _ resource: BoardResource?) {
    owned[key] = slot
    memory.places[key] = resource.map { ProgramMemory.Place(slot: slot, contents: $0.contents) }
  }

  /// Takes note of what our slots hold.
  private func remember(_ compiler: ProgramCompiler) {
    for (key, slot) in owned.own {
      guard let resource = compiler.resource(key, in: owned) else { continue }
      memory.places[key] = ProgramMemory.Place(slot: slot, contents: resource.contents)
    }
  }

  private func disown(_ key: ResourceKey) {
    owned[key] = nil
    memory.places[key] = nil
  }

  /// What came of a change.
  struct Change {
    var compiler: ProgramCompiler
    var created: [ResourceKey]
    var removed: [ProgramPlan.Removal]
    var differences: [String]
    /// Of what is no longer wanted, what stays: others made it, or build on it.
    var left: [ProgramPlan.Removal]
    /// Whether what was made was read back.
    var isProved: Bool
    /// Whether the slots of what was removed were read and found empty.
    var isRemovalProved: Bool
  }

  /// What the board holds, from the board where it is not known.
  func resources(
    on board: Inventory, withLoggers: Bool = false
  ) async throws(ProtocolFailure) -> BoardResources {
    if let onBoard, !withLoggers || onBoard.loggers != nil { return onBoard }
    let reader = ResourceReader(exchange: exchange, inventory: board)
    var read = if let onBoard { onBoard } else { try await reader.resources() }
    if withLoggers { try await reader.readLoggers(into: &read) }
    memory.answered.formUnion(read.answered)
    for kind in ResourceKey.Kind.allCases where !memory.answered.contains(kind) {
      read.assume(memory.places, of: kind, on: board.processorDialect)
    }
    read.macroCommands = memory.macros.values.flatMap(\.macro.commands)
    onBoard = read
    return read
  }

  /// Whether loggers of ours are wanted, or may be left on the board.
  func needsLoggers(for wanted: BoardProgram) -> Bool {
    !wanted.logs.isEmpty || !program.logs.isEmpty || memory.places.keys.contains { $0.kind == .loggers }
  }

  /// What `program` needs on the board, among the macros and streams that are there.
  func compile(_ program: BoardProgram, on board: Inventory) throws(CommandFailure) -> ProgramCompiler {
    try ProgramCompiler(program, on: board, macros: macros, streams: streams)
  }

  /// Carries out what `wanted` differs in. Nothing is written where it cannot be had.
  func apply(
    _ wanted: BoardProgram, on board: Inventory
  ) async throws(ProtocolFailure) -> Result<Change, CommandFailure> {
    let compiler: ProgramCompiler
    do throws(CommandFailure) {
      compiler = try compile(wanted, on: board)
    } catch {
      return .failure(error)
    }
    let before = try await resources(on: board, withLoggers: needsLoggers(for: wanted))
    forgetReplaced(before)
    let plan: ProgramPlan
    do throws(CommandFailure) {
      plan = try ProgramPlan(
        compiler, onBoard: before, owned: owned, places: memory.places, capacity: board.capacity)
    } catch {
      return .failure(error)
    }
    // Until its end nobody knows what the board holds.
    onBoard = nil
    outputs = [:]
    (logged, loggerSlots) = ([], nil)
    let left = plan.left(of: owned, wanted: compiler.keys)
    for key in plan.handedOver { disown(key) }
    let isRemovalProved = try await ResourceWriter(exchange: exchange).empty(plan.removals) { disown($0) }
    let isProved = try await create(plan, of: compiler, beside: before)
    program = wanted
    noteOutputs(compiler)
    logged = compiler.logs.planned.compactMap { $0.logged(in: owned) }
    if before.loggers != nil {
      let removed = plan.removals.filter { $0.key.kind == .loggers }.map(\.slot)
      let made = plan.creations.filter { $0.kind == .loggers }.compactMap { owned[$0] }
      loggerSlots = before.taken(.loggers).subtracting(removed).union(made)
    }
    actions = Set(
      compiler.keys.compactMap {
        if case .event(let entry)? = compiler.resource($0, in: owned) { entry.command } else { nil }
      })
    return .success(
      Change(
        compiler: compiler, created: plan.creations, removed: plan.removals, differences: plan.differences,
        left: left, isProved: isProved, isRemovalProved: isRemovalProved))
  }

  /// The processors and timers whose slots were filled since this was last asked.
  func takeFilled() -> Set<SensorRun.Unit> {
    defer { filled = [] }
    return filled
  }

  /// Where the chains of the program come out, and the timers that are streamed; a buffer tells nothing.
  private func noteOutputs(_ compiler: ProgramCompiler) {
    outputs = program.chains.keys.reduce(into: [:]) { outputs, name in
      guard let last = compiler.chains.output(of: name), !(last.operation is Buffer),
        let slot = owned[last.key],
        let fields = compiler.chains.fields(of: name)
      else { return }
      let stream = ChainStream(name: name, fields: fields.fields, logEntries: (last.output.byteCount + 3) / 4)
      outputs[name] = ChainOutput(
        slot: slot, layout: last.output, stream: stream,
        rateSource: program.chains.rateSource(of: name))
    }
    for (name, timer) in program.timers where timer.isStreamed {
      guard let slot = owned[.timer(name)] else { continue }
      outputs[name] = ChainOutput(
        slot: slot, layout: .numbers(.plain(1)), stream: .ticks(of: name), isTimer: true)
    }
  }

  /// What stands in a slot of ours but is not what we put there is somebody else's by now.
  private func forgetReplaced(_ onBoard: BoardResources) {
    for (key, slot) in owned.own where key.kind != .loggers || onBoard.loggers != nil {
      guard let place = memory.places[key], onBoard.holds(place.contents, key.kind, slot) else {
        disown(key)
        continue
      }
    }
  }

  /// A processor's step was changed in place: what is wanted is what the board does now.
  func remember(_ change: ProcessorChange, _ step: ChainStep, on board: Inventory) {
    guard var chain = program.chains[change.chain] else { return }
    let index = change.step < 0 ? chain.steps.count + change.step : change.step
    guard chain.steps.indices.contains(index) else { return }
    chain.steps[index] = step
    program.chains[change.chain] = chain
    forgetResources()
    guard let compiler = try? compile(program, on: board) else { return }
    remember(compiler)
    noteOutputs(compiler)
  }

  private func create(
    _ plan: ProgramPlan, of compiler: ProgramCompiler, beside before: BoardResources
  ) async throws(ProtocolFailure) -> Bool {
    let writer = ResourceWriter(exchange: exchange)
    var isProved = true
    var started: [UInt8] = []
    for (key, slot) in plan.kept.byKey {
      // What is there but was not known to be ours may have been made by a link that broke before it was started.
      if case .timer(let name) = key, owned[key] == nil, compiler.isStarted(timer: name) {
        started.append(slot)
      }
    }
    owned.take(plan.kept)
    remember(compiler)
    for key in plan.creations {
      guard let resource = compiler.resource(key, in: owned) else {
        throw .unexpected("\(key.words) refers to something that has no slot")
      }
      let gone = plan.removals.filter { $0.key.kind == key.kind }.map(\.slot)
      let used = before.taken(key.kind).subtracting(gone).union(
        owned.byKey.filter { $0.key.kind == key.kind }.values)
      let slot = try await writer.create(resource, key.kind, on: compiler.board, notIn: used)
      own(key, slot, resource)
      if key.kind == .processors { filled.insert(.processor(slot)) }
      if key.kind == .timers { filled.insert(.timer(slot)) }
      if case .timer(let name) = key, compiler.isStarted(timer: name) { started.append(slot) }
      isProved = try await writer.readsBack(resource, slot) && isProved
    }
    for command in compiler.logs.planned.flatMap(\.prepare) { try await exchange.write(command) }
    // Only now is everything there that their ticks set off.
    for slot in started.sorted() { try await exchange.write(BoardTimer.start(slot)) }
    return isProved
  }

  /// Takes note of a timer that was started or stopped.
  func note(timer name: String, isStarted: Bool) { program.timers[name]?.isStarted = isStarted }

  /// Forgets what stands in a slot that others filled, once it was removed on request.
  func forgetResources() { onBoard = nil }
}

extension ResourceKey.Kind {
  /// The register that creates one.
  var creation: Register {
    switch self {
    case .processors: Processor.creation
    case .timers: BoardTimer.creation
    case .events: EventEntry.creation
    case .loggers: LoggerEntry.creation
    }
  }

  var module: Module { creation.module }
}

extension Inventory {
  /// Slots by kind (protocol reference, section 36).
  var capacity: [ResourceKey.Kind: Int] {
    Dictionary(
      uniqueKeysWithValues: ResourceKey.Kind.allCases.map { ($0, Int(modules[$0.module]?.extra.first ?? 0)) })
  }
}
