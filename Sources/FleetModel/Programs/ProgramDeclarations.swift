/// What a board shall do by itself, as it was declared: the arguments of the verbs that make it, checked and with their
/// defaults filled in (MQTT contract 1.5, 7.4). Declarations are what is kept, compared and published.
public struct ProgramDeclarations: Hashable, Sendable {
  /// Arguments by what they make; without its name.
  public private(set) var entries: [ProgramKey: JSONObject] = [:]

  /// Wants nothing.
  public init() {}

  /// Whether nothing is wanted.
  public var isEmpty: Bool { entries.isEmpty }

  /// Declares one more thing, by the same rules as its verb. Throws `invalid` and what is wrong.
  public mutating func declare(_ key: ProgramKey, _ arguments: JSONObject) throws(CommandFailure) {
    let command = try Self.command(key, arguments)
    entries[key] = command.declaration?.arguments
  }

  /// Takes one away.
  public mutating func withdraw(_ key: ProgramKey) { entries[key] = nil }

  /// Names of the `streams` that only chains ask for, because nothing else was said of what these yield.
  public func ownStreams(in streams: [String: StreamRequest]) -> Set<String> {
    Set(program.streams.filter { streams[$0.key] == $0.value }.keys)
  }

  /// Names of all chains, and of the timers whose ticks are streams.
  public var yieldingStreams: Set<String> {
    Set(program.streams.keys).union(entries.keys.filter { $0.kind == .chain }.map(\.name))
  }

  /// Those of one kind.
  public subscript(kind: ProgramKey.Kind) -> ProgramDeclarations {
    get {
      var part = ProgramDeclarations()
      part.entries = entries.filter { $0.key.kind == kind }
      return part
    }
    set {
      entries = entries.filter { $0.key.kind != kind }
      for (key, arguments) in newValue.entries where key.kind == kind { entries[key] = arguments }
    }
  }

  /// What is declared here, and what is declared in `other` besides.
  public func laid(over other: ProgramDeclarations) -> ProgramDeclarations {
    var both = self
    both.entries.merge(other.entries) { ours, _ in ours }
    return both
  }

  /// What is declared here otherwise than in `other`, or not at all there.
  public func besides(_ other: ProgramDeclarations) -> ProgramDeclarations {
    var rest = self
    rest.entries = entries.filter { other.entries[$0.key] != $0.value }
    return rest
  }

  /// What all of it means.
  public var program: BoardProgram {
    var program = BoardProgram()
    for (key, arguments) in entries {
      // Every entry was read once, so it can be read again.
      switch try? Self.command(key, arguments) {
      case .createChain(let name, let chain, _):
        program.chains[name] = chain
        if chain.outputs.contains(.log) { program.logs[name] = StreamRequest(name: name, configuration: [:]) }
      case .createTimer(let name, let timer, _): program.timers[name] = timer
      case .bindEvent(let name, let event, _): program.events[name] = event
      default: continue
      }
    }
    return program
  }

  private static func command(
    _ key: ProgramKey, _ arguments: JSONObject
  ) throws(CommandFailure) -> ProgramCommand {
    guard arguments["name"] == nil else { throw .invalid("leave name out; the key above it is the name") }
    guard arguments[TimerVerbs.confirmation.name] == nil else {
      throw .invalid("confirm is for commands to one board; leave it out")
    }
    var arguments = arguments
    arguments["name"] = .string(key.name)
    guard case .board(.link(.device(.program(let command)))) = try key.kind.verb.interpret(arguments) else {
      throw CommandFailure(.internal, "\(key.kind.verb.name) cannot be declared in a profile")
    }
    return command
  }
}

/// What commands change.
extension ProgramDeclarations {
  /// These declarations once `command` is done.
  public func edited(by command: ProgramCommand) -> ProgramDeclarations {
    var edited = self
    if let (key, arguments) = command.declaration { edited.entries[key] = arguments }
    switch command {
    case .removeChain(let target): edited.withdraw(target, .chain)
    case .removeTimer(let target):
      edited.withdraw(target, .timer)
      edited.withdrawEvents(ofTimersIn: self)
    case .removeEvent(let target): edited.withdraw(target, .event)
    case .startTimer(let name): edited.entries[ProgramKey(.timer, name)]?["start"] = true
    case .stopTimer(let name): edited.entries[ProgramKey(.timer, name)]?["start"] = false
    case .changeProcessor(let change): edited.note(change)
    default: break
    }
    return edited
  }

  /// What stands in a slot by others' doing was not declared here.
  private mutating func withdraw(_ target: ProgramCommand.Target, _ kind: ProgramKey.Kind) {
    switch target {
    case .name(let name): withdraw(ProgramKey(kind, name))
    case .all: entries = entries.filter { $0.key.kind != kind }
    case .slot: break
    }
  }

  /// Events that waited for a timer which was there before go with it.
  private mutating func withdrawEvents(ofTimersIn before: ProgramDeclarations) {
    let program = program
    for (name, event) in program.events {
      guard case .timer(let timer) = event.source, program.timers[timer] == nil,
        before.entries[ProgramKey(.timer, timer)] != nil
      else { continue }
      withdraw(ProgramKey(.event, name))
    }
  }

  /// New parameters of a step are what is wanted from now on; what a processor keeps passes.
  private mutating func note(_ change: ProcessorChange) {
    let key = ProgramKey(.chain, change.chain)
    guard case .parameters(let parameters) = change.change, var steps = entries[key]?["chain"]?.array else {
      return
    }
    let index = change.step < 0 ? steps.count + change.step : change.step
    guard steps.indices.contains(index),
      let type = steps[index].string ?? steps[index].object?.members.first?.key
    else { return }
    steps[index] = .object([type: .object(parameters)])
    entries[key]?["chain"] = .array(steps)
  }
}

/// As kept on disk.
extension ProgramDeclarations {
  /// Arguments by the words of their keys.
  public var document: JSONObject {
    JSONObject(entries.sorted { $0.key < $1.key }.map { ($0.key.text, .object($0.value)) })
  }

  /// Reads what was kept; what can no longer be declared is dropped.
  public init(document: JSONObject) {
    for (text, arguments) in document.members {
      guard let key = ProgramKey(text: text), let arguments = arguments.object else { continue }
      try? declare(key, arguments)
    }
  }
}
