import FleetModel

/// What of a wanted program a board can have. What it cannot have leaves the rest alone.
struct ProgramSelection: Sendable {
  /// What it can have.
  private(set) var accepted = BoardProgram()
  /// What it cannot have, and why.
  private(set) var refused: [ProgramKey: CommandFailure] = [:]

  /// Tries everything at once, and only where that fails one by one: those that others refer to may come behind them,
  /// so what is refused is tried again for as long as that helps. `check` judges a program as a whole.
  init(_ wanted: BoardProgram, check: (BoardProgram) throws(CommandFailure) -> Void) {
    do throws(CommandFailure) {
      try check(wanted)
      accepted = wanted
      return
    } catch {}
    var waiting = wanted.keys
    var isProgress = true
    while isProgress {
      isProgress = false
      for key in waiting {
        var candidate = accepted
        candidate.take(key, from: wanted)
        do throws(CommandFailure) {
          try check(candidate)
          accepted = candidate
          waiting.removeAll { $0 == key }
          refused[key] = nil
          isProgress = true
        } catch {
          refused[key] = error
        }
      }
    }
  }
}

extension BoardProgram {
  /// All it holds, in a steady order.
  fileprivate var keys: [ProgramKey] {
    chains.keys.sorted().map { ProgramKey(.chain, $0) } + timers.keys.sorted().map { ProgramKey(.timer, $0) }
      + events.keys.sorted().map { ProgramKey(.event, $0) }
  }

  fileprivate mutating func take(_ key: ProgramKey, from other: BoardProgram) {
    switch key.kind {
    case .chain: chains[key.name] = other.chains[key.name]
    case .timer: timers[key.name] = other.timers[key.name]
    case .event: events[key.name] = other.events[key.name]
    }
  }
}
