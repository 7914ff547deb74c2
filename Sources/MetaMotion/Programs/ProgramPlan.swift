import FleetModel

/// What has to change on a board for it to do what is wanted, and nothing else: compared with what it holds, before
/// anything is written.
///
/// What is there already is kept, whoever made it; what we made and no longer want goes; what others made stays, be it
/// equal to something of ours.
struct ProgramPlan: Sendable {
  /// What is there already, or was before.
  private(set) var kept = ResourceSlots()
  /// What is missing, in the order in which it can be created.
  private(set) var creations: [ResourceKey] = []
  /// What is ours and no longer wanted, in the order in which it can go.
  private(set) var removals: [Removal] = []
  /// Names of ours whose slots go on under another name, with the same content.
  private(set) var handedOver: [ResourceKey] = []
  /// What differs, in words: `process/activity added`.
  private(set) var differences: [String] = []

  struct Removal: Hashable, Sendable {
    var key: ResourceKey
    var slot: UInt8

    var command: [UInt8] {
      switch key.kind {
      case .processors: Processor.remove(slot)
      case .timers: BoardTimer.remove(slot)
      case .events: EventEntry.remove(slot)
      case .loggers: LoggerEntry.remove(slot)
      }
    }
  }

  /// Whether the board does what is wanted.
  var isEmpty: Bool { creations.isEmpty && removals.isEmpty }

  /// Compares. `owned` are the slots we remember to have made, and `places` what we put there. Throws `no-slots` where
  /// the board has too few.
  init(
    _ wanted: ProgramCompiler, onBoard: BoardResources, owned: ResourceSlots,
    places: [ResourceKey: ProgramMemory.Place] = [:], capacity: [ResourceKey.Kind: Int]
  ) throws(CommandFailure) {
    var claimed: [ResourceKey.Kind: Set<UInt8>] = [:]
    let reserved = Self.reservations(of: wanted.keys, in: owned)
    for key in wanted.keys {
      let resource = wanted.resource(key, in: kept)
      var slots = resource.map(onBoard.slots(holding:)) ?? []
      if let resource, let place = places[key], owned.owns(key, in: place.slot),
        place.contents == resource.contents, onBoard.holds(place.contents, key.kind, place.slot)
      {
        // We put there just that; the board may have changed it since.
        slots.append(place.slot)
      }
      // A slot that another wanted name has stays with that name, be its content equal.
      let free = slots.filter {
        claimed[key.kind]?.contains($0) != true && reserved[key.kind]?[$0].map { $0 == key } ?? true
      }
      guard let slot = free.first(where: { $0 == owned[key] }) ?? free.first else {
        creations.append(key)
        continue
      }
      if owned.key(of: key.kind, in: slot) != nil { kept[key] = slot } else { kept.borrow(key, in: slot) }
      claimed[key.kind, default: []].insert(slot)
    }
    handedOver = owned.own.filter { key, slot in
      kept[key] != slot && claimed[key.kind]?.contains(slot) == true
    }.map(\.key)
    let stale = owned.own.filter { key, slot in
      onBoard.taken(key.kind).contains(slot) && claimed[key.kind]?.contains(slot) != true
    }
    removals = Self.order(stale, in: onBoard)
    try checkRoom(onBoard, owned, capacity)
    differences = Self.words(creations, removals)
  }

  /// What of `owned` is wanted no longer and stays all the same: others made it, or build on it.
  func left(of owned: ResourceSlots, wanted: [ResourceKey]) -> [Removal] {
    let staying = owned.byKey.filter { key, slot in
      !wanted.contains(key) && !handedOver.contains(key) && !removals.contains { $0.key == key }
    }
    return staying.map { Removal(key: $0.key, slot: $0.value) }.sorted {
      ($0.key.words, $0.slot) < ($1.key.words, $1.slot)
    }
  }

  /// Which wanted name has a slot already; where two were remembered for one, the first of them.
  private static func reservations(
    of keys: [ResourceKey], in owned: ResourceSlots
  ) -> [ResourceKey.Kind: [UInt8: ResourceKey]] {
    var reserved: [ResourceKey.Kind: [UInt8: ResourceKey]] = [:]
    for key in keys {
      guard let slot = owned[key], reserved[key.kind]?[slot] == nil else { continue }
      reserved[key.kind, default: [:]][slot] = key
    }
    return reserved
  }

  /// Events first, then the timers they wait for, then loggers, then processors, consumers before what they consume. A
  /// processor that others build on stays.
  private static func order(_ stale: [ResourceKey: UInt8], in onBoard: BoardResources) -> [Removal] {
    func removals(_ kind: ResourceKey.Kind) -> [Removal] {
      stale.filter { $0.key.kind == kind }.map { Removal(key: $0.key, slot: $0.value) }.sorted {
        $0.slot < $1.slot
      }
    }
    let graph = ProcessorGraph(slots: onBoard.processors)
    let processors = removals(.processors)
    let gone = Set(processors.map(\.slot))
    var order: [UInt8] = []
    for processor in processors {
      let dependents = graph.removalOrder(of: processor.slot)
      guard gone.isSuperset(of: dependents) else { continue }
      order += dependents.filter { !order.contains($0) }
    }
    return removals(.events) + removals(.timers) + removals(.loggers)
      + order.compactMap { slot in processors.first { $0.slot == slot } }
  }

  private func checkRoom(
    _ onBoard: BoardResources, _ owned: ResourceSlots, _ capacity: [ResourceKey.Kind: Int]
  ) throws(CommandFailure) {
    for kind in ResourceKey.Kind.allCases {
      let needed = creations.count { $0.kind == kind }
      let taken = onBoard.taken(kind)
      let going = Set(removals.filter { $0.key.kind == kind }.map(\.slot))
      let free = max(0, (capacity[kind] ?? 0) - taken.subtracting(going).count)
      guard needed > free else { continue }
      let ours = owned.slots(of: kind)
      let owners = taken.subtracting(going).sorted().map { ours.contains($0) ? "ours" : "foreign" }
      throw CommandFailure(
        .noSlots,
        "the board has \(CountText.of(free, "free slot")) for \(kind.rawValue) instead of the \(needed) needed",
        data: [
          "needed": .integer(Int64(needed)), "free": .integer(Int64(free)),
          "owners": .array(owners.map { .string($0) }),
        ])
    }
  }

  private static func words(_ creations: [ResourceKey], _ removals: [Removal]) -> [String] {
    let added = Set(creations.map(\.words))
    let removed = Set(removals.map(\.key.words))
    return added.union(removed).sorted().map { name in
      switch (added.contains(name), removed.contains(name)) {
      case (true, true): "\(name) changed"
      case (true, false): "\(name) added"
      default: "\(name) removed"
      }
    }
  }
}
