/// What cannot be had by any board, because it refers to what is not declared.
extension ProgramDeclarations {
  /// What each of them refers to in vain, in words, in the order of their names.
  public var gaps: [(key: ProgramKey, text: String)] {
    let program = program
    return entries.keys.sorted().compactMap { key in
      let text: String? =
        switch key.kind {
        case .chain: program.chains[key.name].flatMap { Self.gap(in: $0, program) }
        case .timer: program.timers[key.name].flatMap { Self.gap(in: $0.actions, program) }
        case .event:
          program.events[key.name].flatMap {
            Self.gap(in: $0.source, program) ?? Self.gap(in: $0.actions, program)
          }
        }
      return text.map { (key, $0) }
    }
  }

  private static func gap(in chain: Chain, _ program: BoardProgram) -> String? {
    let others = chain.steps.flatMap { $0.parameters["with"]?.array?.compactMap(\.string) ?? [] }
    return ([chain.source] + others).first { !isSignal($0, program) }.map {
      Suggestion.missing("stream or chain", $0, among: streams + program.chains.keys.sorted())
    }
  }

  private static func gap(in source: EventSource, _ program: BoardProgram) -> String? {
    switch source {
    case .timer(let name) where program.timers[name] == nil: noTimer(name, program)
    case .chain(let name) where program.chains[name] == nil: noChain(name, program)
    case .stream(let name) where StreamCatalogue.find(name) == nil:
      Suggestion.missing("stream", name, among: streams)
    default: nil
    }
  }

  private static func gap(in actions: [BoardAction], _ program: BoardProgram) -> String? {
    for action in actions {
      switch action.command {
      case .timer(let name, _) where program.timers[name] == nil: return noTimer(name, program)
      case .processor(let change) where program.chains[change.chain] == nil:
        return noChain(change.chain, program)
      default: continue
      }
    }
    return nil
  }

  private static var streams: [String] { StreamCatalogue.all.map(\.name) }

  private static func noTimer(_ name: String, _ program: BoardProgram) -> String {
    Suggestion.missing("timer", name, among: program.timers.keys.sorted())
  }

  private static func noChain(_ name: String, _ program: BoardProgram) -> String {
    Suggestion.missing("chain", name, among: program.chains.keys.sorted())
  }

  private static func isSignal(_ name: String, _ program: BoardProgram) -> Bool {
    StreamCatalogue.find(name) != nil || program.chains[name] != nil
  }
}
