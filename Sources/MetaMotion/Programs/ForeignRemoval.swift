import BoardKit
import FleetModel

/// Removes what others left in the slots of a board, where that is asked for (MQTT contract 3.7, 3.8).
struct ForeignRemoval {
  let programs: ProgramControl
  let board: Inventory

  private var owned: ResourceSlots { programs.owned }
  private var exchange: Exchange { programs.exchange }

  /// One slot; of a timer also what waits for it.
  func remove(_ kind: ResourceKey.Kind, _ slot: UInt8) async throws(ProtocolFailure) -> CommandOutcome {
    let onBoard = try await programs.resources(on: board, withLoggers: kind == .loggers)
    guard onBoard.taken(kind).contains(slot) else {
      return .failed(.invalid("slot \(slot) of \(kind.rawValue) is empty"))
    }
    guard !owned.slots(of: kind).contains(slot) else {
      return .failed(.invalid("slot \(slot) belongs to this gateway; remove it by its name"))
    }
    if kind == .processors, ProcessorGraph(slots: onBoard.processors).consumers(of: slot) != [] {
      return .failed(.invalid("processor \(slot) has consumers; remove them first"))
    }
    let removals = events(behind: [slot], of: kind, on: onBoard) + [Self.removal(kind, slot)]
    let isProved = try await empty(removals)
    return .done(
      evidence: isProved ? .readback : .linkWrite, data: ["removed": ProgramVerbs.words(removals)])
  }

  /// What waits for timers that go, but for our own: without them it would never come, or come by whatever fills the
  /// slot next.
  private func events(
    behind slots: [UInt8], of kind: ResourceKey.Kind, on onBoard: BoardResources
  ) -> [ProgramPlan.Removal] {
    guard kind == .timers else { return [] }
    let waiting = Set(slots.flatMap { onBoard.events(waitingForTimer: $0) })
    return waiting.subtracting(owned.slots(of: .events)).sorted().map { Self.removal(.events, $0) }
  }

  /// All slots of a kind that hold nothing of ours, once what was ours is gone by `outcome`: with one packet, where
  /// nothing of ours stays. That also reaches boards that tell nothing of their slots.
  func clear(
    _ kind: ResourceKey.Kind, behind outcome: CommandOutcome
  ) async throws(ProtocolFailure) -> CommandOutcome {
    guard case .done(let evidence, var data) = outcome else { return outcome }
    programs.forgetResources()
    let onBoard = try await programs.resources(on: board)
    let kept = Set(owned.byKey.filter { $0.key.kind == kind }.values)
    let slots = Self.order(onBoard.taken(kind).subtracting(kept), kind, in: onBoard)
    let removals = events(behind: slots, of: kind, on: onBoard) + slots.map { Self.removal(kind, $0) }
    let everything = kept.isEmpty ? Self.removalOfAll(kind) : nil
    if let everything { try await exchange.write(everything) }
    guard !removals.isEmpty else { return outcome }
    let isProved = try await empty(removals, isWritten: everything != nil)
    let before = data["removed"]?.array ?? []
    data["removed"] = .array(before + (ProgramVerbs.words(removals).array ?? []))
    data["left"] = Self.left(data["left"], without: removals)
    let isAllProved = isProved && (before.isEmpty || evidence == .readback)
    return .done(evidence: isAllProved ? .readback : .linkWrite, data: data)
  }

  /// What stays, of what was said to; nil where nothing does.
  static func left(_ left: JSONValue?, without removals: [ProgramPlan.Removal]) -> JSONValue? {
    let gone = removals.map { ProgramVerbs.left($0) }
    let rest = left?.array?.filter { !gone.contains($0) } ?? []
    return rest.isEmpty ? nil : .array(rest)
  }

  private func empty(
    _ removals: [ProgramPlan.Removal], isWritten: Bool = false
  ) async throws(ProtocolFailure) -> Bool {
    defer { programs.forgetResources() }
    return try await ResourceWriter(exchange: exchange).empty(removals, isWritten: isWritten)
  }

  /// Consumers before what they consume; what something of ours builds on stays.
  static func order(_ slots: Set<UInt8>, _ kind: ResourceKey.Kind, in onBoard: BoardResources) -> [UInt8] {
    guard kind == .processors else { return slots.sorted() }
    let graph = ProcessorGraph(slots: onBoard.processors)
    var order: [UInt8] = []
    for slot in slots.sorted() {
      let dependents = graph.removalOrder(of: slot)
      guard slots.isSuperset(of: dependents) else { continue }
      order += dependents.filter { !order.contains($0) }
    }
    return order
  }

  private static func removalOfAll(_ kind: ResourceKey.Kind) -> [UInt8]? {
    switch kind {
    case .processors: Processor.removeAll
    case .events: EventEntry.removeAll
    // No verb removes all loggers without their entries; timers know no such packet.
    case .loggers, .timers: nil
    }
  }

  /// The name does not matter: the slot is nobody's afterwards.
  private static func removal(_ kind: ResourceKey.Kind, _ slot: UInt8) -> ProgramPlan.Removal {
    let key: ResourceKey =
      switch kind {
      case .processors: .processor("", 0)
      case .timers: .timer("")
      case .events: .event("", 0)
      case .loggers: .logger("", 0)
      }
    return ProgramPlan.Removal(key: key, slot: slot)
  }
}

extension BoardResources {
  /// The events that a timer's ticks set off, lowest first.
  func events(waitingForTimer slot: UInt8) -> [UInt8] {
    events.filter { $0.value.source == BoardTimer.signal(slot) }.keys.sorted()
  }
}
