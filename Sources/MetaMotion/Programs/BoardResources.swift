/// What stands in one slot.
enum BoardResource: Hashable, Sendable {
  case processor(ProcessorDefinition)
  case timer(BoardTimer)
  case event(EventEntry)

  /// What creates it, first to last.
  var commands: [[UInt8]] {
    switch self {
    case .processor(let definition): [definition.command]
    case .timer(let timer): [timer.command]
    case .event(let entry): entry.commands
    }
  }
}

/// What a board holds, whoever put it there.
struct BoardResources: Sendable {
  var processors: [UInt8: ProcessorDefinition] = [:]
  var timers: [UInt8: BoardTimer] = [:]
  var events: [UInt8: EventEntry] = [:]
  /// Slots that are taken by something we cannot read, by kind.
  var unreadable: [ResourceKey.Kind: Set<UInt8>] = [:]

  /// All taken slots of one kind.
  func taken(_ kind: ResourceKey.Kind) -> Set<UInt8> {
    let readable: Set<UInt8> =
      switch kind {
      case .processors: Set(processors.keys)
      case .timers: Set(timers.keys)
      case .events: Set(events.keys)
      }
    return readable.union(unreadable[kind] ?? [])
  }

  /// What stands in one slot; nil where nothing does, or nothing that can be read.
  func resource(_ kind: ResourceKey.Kind, _ slot: UInt8) -> BoardResource? {
    switch kind {
    case .processors: processors[slot].map { .processor($0) }
    case .timers: timers[slot].map { .timer($0) }
    case .events: events[slot].map { .event($0) }
    }
  }

  /// The slots that hold the same as `resource`, lowest first.
  func slots(holding resource: BoardResource) -> [UInt8] {
    let found: [UInt8] =
      switch resource {
      case .processor(let definition): processors.filter { $0.value == definition }.map(\.key)
      case .timer(let timer): timers.filter { $0.value == timer }.map(\.key)
      case .event(let entry): events.filter { $0.value == entry }.map(\.key)
      }
    return found.sorted()
  }
}
