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
  var macros: [String: UInt8] = [:]
  /// What the board holds; nil while that is not known.
  private var held: BoardResources?

  init(exchange: Exchange) { self.exchange = exchange }

  /// What came of a change.
  struct Change {
    var compiler: ProgramCompiler
    var created: [ResourceKey]
    var removed: [ProgramPlan.Removal]
    var differences: [String]
    /// Whether what was made was read back.
    var isProved: Bool
  }

  /// What the board holds, from the board where it is not known.
  func resources(on board: Inventory) async throws(ProtocolFailure) -> BoardResources {
    if let held { return held }
    let read = try await ResourceReader(exchange: exchange, inventory: board).resources()
    held = read
    return read
  }

  /// Carries out what `wanted` differs in. Nothing is written where it cannot be had.
  func apply(
    _ wanted: BoardProgram, on board: Inventory
  ) async throws(ProtocolFailure) -> Result<Change, CommandFailure> {
    let compiler: ProgramCompiler
    do throws(CommandFailure) {
      compiler = try ProgramCompiler(wanted, on: board, macros: macros)
    } catch {
      return .failure(error)
    }
    let before = try await resources(on: board)
    forgetReplaced(before, on: board)
    let plan: ProgramPlan
    do throws(CommandFailure) {
      plan = try ProgramPlan(compiler, held: before, owned: owned, capacity: board.capacity)
    } catch {
      return .failure(error)
    }
    // Until its end nobody knows what the board holds.
    held = nil
    for removal in plan.removals {
      try await exchange.tell(removal.command)
      owned[removal.key] = nil
    }
    owned.take(plan.kept)
    let isProved = try await create(plan.creations, of: compiler)
    program = wanted
    return .success(
      Change(
        compiler: compiler, created: plan.creations, removed: plan.removals, differences: plan.differences,
        isProved: isProved))
  }

  /// What stands in a slot of ours but is not what we put there is somebody else's by now.
  private func forgetReplaced(_ held: BoardResources, on board: Inventory) {
    guard let known = try? ProgramCompiler(program, on: board, macros: macros) else { return }
    for (key, slot) in owned.byKey {
      guard let resource = known.resource(key, in: owned) else { continue }
      if !held.slots(holding: resource).contains(slot) { owned[key] = nil }
    }
  }

  /// A processor's step was changed in place: what is wanted is what the board does now.
  func remember(_ change: ProcessorChange, _ step: ChainStep) {
    guard var chain = program.chains[change.chain] else { return }
    let index = change.step < 0 ? chain.steps.count + change.step : change.step
    guard chain.steps.indices.contains(index) else { return }
    chain.steps[index] = step
    program.chains[change.chain] = chain
    forgetHeld()
  }

  private func create(
    _ keys: [ResourceKey], of compiler: ProgramCompiler
  ) async throws(ProtocolFailure) -> Bool {
    var isProved = true
    var started: [UInt8] = []
    for key in keys {
      guard let resource = compiler.resource(key, in: owned) else {
        throw .unexpected("\(key.words) refers to something that has no slot")
      }
      let slot = try await exchange.create(resource.commands, answer: key.kind.creation)
      owned[key] = slot
      if case .timer(let name) = key, compiler.isStarted(timer: name) { started.append(slot) }
      if case .processor(let definition) = resource {
        isProved = try await readsBack(definition, slot) && isProved
      }
    }
    // Only now is everything there that their ticks set off.
    for slot in started { try await exchange.tell(BoardTimer.start(slot)) }
    return isProved
  }

  /// Whether the board tells what was written; throws where it tells something else.
  private func readsBack(_ definition: ProcessorDefinition, _ slot: UInt8) async throws(ProtocolFailure)
    -> Bool
  {
    let question = Processor.creation.read(slot)
    guard let reply = try await exchange.probe(question, answer: Processor.creation.answer()) else {
      return false
    }
    let wanted = definition.command.dropFirst(2)
    guard reply.dropFirst(2).starts(with: wanted) else {
      throw .unexpected("processor \(slot) holds \(reply.hex) instead of \(definition.command.hex)")
    }
    return true
  }

  /// Forgets what stands in a slot that others filled, once it was removed on request.
  func forgetHeld() { held = nil }
}

extension ResourceKey.Kind {
  /// The register that creates one.
  var creation: Register {
    switch self {
    case .processors: Processor.creation
    case .timers: BoardTimer.creation
    case .events: EventEntry.creation
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
