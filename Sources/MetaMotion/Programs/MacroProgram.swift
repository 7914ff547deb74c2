import FleetModel

/// What a macro does at a start, timers, chains and events included that it makes then.
///
/// Nobody reads there which slots the board gives. Behind a reset all of them are empty, and boards give the lowest
/// first (protocol reference, sections 14.4 and 15.2), so that they are known all the same: the vendor's hosts rely on
/// it, too.
struct MacroProgram {
  /// What it makes.
  private(set) var program = BoardProgram()
  /// What it does besides.
  private(set) var others: [BoardAction] = []

  /// Takes apart what a macro does. Throws `invalid` for a name that is given twice.
  init(_ actions: [BoardAction]) throws(CommandFailure) {
    for action in actions {
      switch action.command {
      case .createChain(let name, let chain):
        guard chain.outputs.isEmpty else {
          let words = chain.outputs.map(\.rawValue).sorted().joined(separator: " and ")
          throw .invalid(
            "a macro cannot set up where samples of \(name) go; leave \(words) out of \"to\"")
        }
        try Self.add(chain, name, to: &program.chains)
      case .createTimer(let name, let timer):
        guard !timer.isStreamed else {
          throw .invalid("a macro cannot set up where ticks of \(name) go; leave stream out of \"to\"")
        }
        try Self.add(timer, name, to: &program.timers)
      case .bindEvent(let name, let event): try Self.add(event, name, to: &program.events)
      default: others.append(action)
      }
    }
  }

  private static func add<Value>(
    _ value: Value, _ name: String, to values: inout [String: Value]
  ) throws(CommandFailure) {
    guard values.updateValue(value, forKey: name) == nil else {
      throw .invalid("\(name) is made twice; give each a name of its own")
    }
  }

  /// Whether it depends on which slots are free when it runs.
  var needsSlots: Bool {
    let edges = program.events.values.contains { if case .button(_?) = $0.source { true } else { false } }
    return edges || !program.chains.isEmpty || !program.timers.isEmpty
  }

  /// Its packets: what it makes, what it does, and then the timers are started. `earlier` are the macros that run
  /// before it. Of what it does besides, `others` is that which aims at no slot of a start. Throws `invalid`,
  /// `unsupported` or `no-slots`.
  func commands(
    on board: Inventory, macros: [String: UInt8], streams: ConfiguredStreams, behind earlier: [Macro]
  ) throws(CommandFailure) -> (all: [[UInt8]], others: [[UInt8]]) {
    let compiler = try ProgramCompiler(program, on: board, macros: macros, streams: streams)
    let slots = try Self.slots(of: compiler.keys, behind: earlier, capacity: board.capacity)
    var made: [[UInt8]] = []
    var started: [[UInt8]] = []
    for key in compiler.keys {
      guard let resource = compiler.resource(key, in: slots) else {
        throw .invalid("\(key.words) refers to something that the macro does not make")
      }
      made += resource.commands
      if case .timer(let name) = key, compiler.isStarted(timer: name), let slot = slots[key] {
        started.append(BoardTimer.start(slot))
      }
    }
    let compiled = try compiler.actionCompiler(slots).packets(others)
    guard compiled.allSatisfy({ $0.token == nil }) else { throw Self.noTrigger }
    let free = try compiler.actionCompiler(slots).packets(others.filter { !Self.aimsAtSlot($0.command) })
    return (made + compiled.map(\.bytes) + started, free.map(\.bytes))
  }

  /// Whether an action is about what stands in a slot: before a start that is something else.
  private static func aimsAtSlot(_ command: BoardAction.Command) -> Bool {
    switch command {
    case .timer, .processor: true
    case .read(let request, _): request.what == "processor"
    default: false
    }
  }

  static let noTrigger = CommandFailure.invalid("a macro has no trigger for a token")

  /// The slots that a board gives to `keys`, made in that order behind what `earlier` makes.
  static func slots(
    of keys: [ResourceKey], behind earlier: [Macro], capacity: [ResourceKey.Kind: Int]
  ) throws(CommandFailure) -> ResourceSlots {
    var slots = ResourceSlots()
    var next: [ResourceKey.Kind: Int] = [:]
    for kind in ResourceKey.Kind.allCases {
      let creation = kind.creation.write()
      next[kind] = earlier.flatMap(\.commands).count { $0.starts(with: creation) }
    }
    for key in keys {
      let slot = next[key.kind] ?? 0
      guard slot < capacity[key.kind] ?? 0 else {
        throw CommandFailure(
          .noSlots,
          "the board has \(CountText.of(capacity[key.kind] ?? 0, "slot")) for \(key.kind.rawValue), too few "
            + "for all that its macros make at a start")
      }
      slots[key] = UInt8(clamping: slot)
      next[key.kind] = slot + 1
    }
    return slots
  }
}
