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
      "there is no stream or chain \($0)"
    }
  }

  private static func gap(in source: EventSource, _ program: BoardProgram) -> String? {
    switch source {
    case .timer(let name) where program.timers[name] == nil: "there is no timer \(name)"
    case .chain(let name) where program.chains[name] == nil: "there is no chain \(name)"
    case .stream(let name) where StreamCatalogue.find(name) == nil: "there is no stream \(name)"
    default: nil
    }
  }

  private static func gap(in actions: [BoardAction], _ program: BoardProgram) -> String? {
    for action in actions {
      switch action.command {
      case .timer(let name, _) where program.timers[name] == nil: return "there is no timer \(name)"
      case .processor(let change) where program.chains[change.chain] == nil:
        return "there is no chain \(change.chain)"
      default: continue
      }
    }
    return nil
  }

  private static func isSignal(_ name: String, _ program: BoardProgram) -> Bool {
    StreamCatalogue.find(name) != nil || program.chains[name] != nil
  }
}
