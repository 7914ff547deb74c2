import FleetModel

/// What of a wanted program a board can have. What it cannot have leaves the rest alone.
struct ProgramSelection: Sendable {
  /// What it can have.
  private(set) var accepted = BoardProgram()
  /// What it cannot have, and why.
  private(set) var refused: [ProgramKey: CommandFailure] = [:]
  /// What it cannot log, and why.
  private(set) var refusedLogs: [String: CommandFailure] = [:]

  /// Something that is wanted by itself.
  fileprivate enum Item: Hashable { case key(ProgramKey), log(String) }

  /// Tries everything at once, and only where that fails one by one: those that others refer to may come behind them,
  /// so what is refused is tried again for as long as that helps. `check` judges a program as a whole.
  init(_ wanted: BoardProgram, check: (BoardProgram) throws(CommandFailure) -> Void) {
    do throws(CommandFailure) {
      try check(wanted)
      accepted = wanted
      return
    } catch {}
    var waiting = wanted.items
    var isProgress = true
    while isProgress {
      isProgress = false
      for item in waiting {
        var candidate = accepted
        candidate.take(item, from: wanted)
        do throws(CommandFailure) {
          try check(candidate)
          accepted = candidate
          waiting.removeAll { $0 == item }
          note(item, nil)
          isProgress = true
        } catch {
          note(item, error)
        }
      }
    }
  }

  private mutating func note(_ item: Item, _ failure: CommandFailure?) {
    switch item {
    case .key(let key): refused[key] = failure
    case .log(let name): refusedLogs[name] = failure
    }
  }
}

extension BoardProgram {
  /// All it holds, in a steady order.
  fileprivate var items: [ProgramSelection.Item] {
    let keys =
      chains.keys.sorted().map { ProgramKey(.chain, $0) }
      + timers.keys.sorted().map { ProgramKey(.timer, $0) }
      + events.keys.sorted().map { ProgramKey(.event, $0) }
    return keys.map { .key($0) } + logs.keys.sorted().map { .log($0) }
  }

  fileprivate mutating func take(_ item: ProgramSelection.Item, from other: BoardProgram) {
    let key: ProgramKey
    switch item {
    case .log(let name): return logs[name] = other.logs[name]
    case .key(let program): key = program
    }
    switch key.kind {
    case .chain: chains[key.name] = other.chains[key.name]
    case .timer: timers[key.name] = other.timers[key.name]
    case .event: events[key.name] = other.events[key.name]
    }
  }
}
