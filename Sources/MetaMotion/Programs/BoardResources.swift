/// What stands in one slot.
enum BoardResource: Hashable, Sendable {
  case processor(ProcessorDefinition)
  case timer(BoardTimer)
  case event(EventEntry)
  case logger(LoggerEntry)

  /// What creates it, first to last.
  var commands: [[UInt8]] {
    switch self {
    case .processor(let definition): [definition.command]
    case .timer(let timer): [timer.command]
    case .event(let entry): entry.commands
    case .logger(let entry): [entry.command]
    }
  }
}

/// What a board holds, whoever put it there.
struct BoardResources: Sendable {
  var processors: [UInt8: ProcessorDefinition] = [:]
  var timers: [UInt8: BoardTimer] = [:]
  var events: [UInt8: EventEntry] = [:]
  /// Read only where something is to be logged; nil while they were not.
  var loggers: [UInt8: LoggerEntry]?
  /// Slots that are taken by something we cannot read, by kind.
  var unreadable: [ResourceKey.Kind: Set<UInt8>] = [:]

  /// Kinds of which the board answered something, be it that a slot is empty.
  var answered: Set<ResourceKey.Kind> = []
  /// What macros do when they are run, besides what `events` do.
  var macroCommands: [[UInt8]] = []

  /// Whether a slot holds what packets put there.
  ///
  /// The board itself may change a processor: by an event, perhaps with bytes of its trigger, or by a macro (protocol
  /// reference, section 14.5). What such a command aims at is still ours as long as it computes in the same way on the
  /// same signal, whatever its parameters are by now; else it would be made anew at every link, until no slot is left.
  func holds(_ contents: [UInt8], _ kind: ResourceKey.Kind, _ slot: UInt8) -> Bool {
    guard let resource = resource(kind, slot) else { return false }
    if resource.contents == contents { return true }
    return kind == .processors && isChangedByBoard(slot)
      && resource.contents.prefix(Self.identityLength) == contents.prefix(Self.identityLength)
  }

  /// Register, source, slice and type of a processor.
  private static let identityLength = 7

  private func isChangedByBoard(_ slot: UInt8) -> Bool {
    let aim = Processor.modification.write(slot)
    return events.values.contains { $0.command.starts(with: aim) }
      || macroCommands.contains { $0.starts(with: aim) }
  }

  /// All taken slots of one kind.
  func taken(_ kind: ResourceKey.Kind) -> Set<UInt8> {
    let readable: Set<UInt8> =
      switch kind {
      case .processors: Set(processors.keys)
      case .timers: Set(timers.keys)
      case .events: Set(events.keys)
      case .loggers: Set(loggers?.keys.map(\.self) ?? [])
      }
    return readable.union(unreadable[kind] ?? [])
  }

  /// What stands in one slot; nil where nothing does, or nothing that can be read.
  func resource(_ kind: ResourceKey.Kind, _ slot: UInt8) -> BoardResource? {
    switch kind {
    case .processors: processors[slot].map { .processor($0) }
    case .timers: timers[slot].map { .timer($0) }
    case .events: events[slot].map { .event($0) }
    case .loggers: loggers?[slot].map { .logger($0) }
    }
  }

  /// The slots that hold the same as `resource`, lowest first.
  func slots(holding resource: BoardResource) -> [UInt8] {
    let found: [UInt8] =
      switch resource {
      case .processor(let definition): processors.filter { $0.value == definition }.map(\.key)
      case .timer(let timer): timers.filter { $0.value == timer }.map(\.key)
      case .event(let entry): events.filter { $0.value == entry }.map(\.key)
      case .logger(let entry): loggers?.filter { $0.value == entry }.map(\.key) ?? []
      }
    return found.sorted()
  }
}

extension BoardResources {
  /// Takes what we remember to have put into the slots of a kind for what stands there: all there is to go by where
  /// firmware does not tell (protocol reference, section 41). Else it would be put there again at every link.
  mutating func assume(
    _ places: [ResourceKey: ProgramMemory.Place], of kind: ResourceKey.Kind, on dialect: ProcessorDialect
  ) {
    for (key, place) in places where key.kind == kind {
      switch BoardResource(kind, place.contents, on: dialect) {
      case .processor(let definition): processors[place.slot] = definition
      case .timer(let timer): timers[place.slot] = timer
      case .event(let entry): events[place.slot] = entry
      case .logger(let entry): loggers?[place.slot] = entry
      case nil: unreadable[kind, default: []].insert(place.slot)
      }
    }
  }
}

extension BoardResource {
  /// What the packets of `contents` make; nil when they are none of this kind.
  init?(_ kind: ResourceKey.Kind, _ contents: [UInt8], on dialect: ProcessorDialect) {
    switch kind {
    case .processors:
      guard let definition = ProcessorDefinition(contents, on: dialect) else { return nil }
      self = .processor(definition)
    case .timers:
      guard let timer = BoardTimer(contents) else { return nil }
      self = .timer(timer)
    case .events:
      // The first packet says how many parameters the second one carries.
      guard contents.count > 9, contents.count >= Int(contents[7]) + 10 else { return nil }
      let head = contents.count - Int(contents[7]) - 2
      guard let entry = EventEntry(Array(contents[..<head]), parameters: Array(contents[head...])) else {
        return nil
      }
      self = .event(entry)
    case .loggers:
      guard let logger = LoggerEntry(contents) else { return nil }
      self = .logger(logger)
    }
  }
}
