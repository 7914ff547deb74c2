/// A change of what a board does by itself (MQTT contract 3.7, 3.8).
public enum ProgramCommand: Hashable, Sendable {
  /// Something by the name we gave it, by its slot where others made it, or all there is of the kind.
  public enum Target: Hashable, Sendable {
    case name(String)
    case slot(UInt8)
    /// All that we made, and what others made only where that is wanted, too.
    case all(includingForeign: Bool)
  }

  /// What is made carries along how it was declared, without its name: that is what is kept of it.
  case createTimer(String, BoardProgram.Timer, declared: JSONObject)
  case startTimer(String)
  case stopTimer(String)
  case removeTimer(Target)
  case bindEvent(String, BoardProgram.Event, declared: JSONObject)
  case removeEvent(Target)
  case createChain(String, Chain, declared: JSONObject)
  case changeProcessor(ProcessorChange)
  case removeChain(Target)
  case listProcessors
  /// A logger that somebody else made.
  case removeLogger(slot: UInt8)
  case recordMacro(String, [BoardAction], isRunAtBoot: Bool)
  case runMacro(String)
  /// Others' macros go, too, where that is wanted.
  case eraseMacros(includingForeign: Bool)
  case listMacros

  /// Whether it makes, changes or removes chains, or timers whose ticks are a stream like theirs.
  public var isOfChains: Bool {
    switch self {
    case .createChain, .changeProcessor, .removeChain, .removeTimer: true
    case .createTimer(_, let timer, _): timer.isStreamed
    default: false
    }
  }

  /// What it makes, and how that was declared; nil where it makes nothing that can be declared.
  public var declaration: (key: ProgramKey, arguments: JSONObject)? {
    switch self {
    case .createTimer(let name, _, let declared): (ProgramKey(.timer, name), declared)
    case .bindEvent(let name, _, let declared): (ProgramKey(.event, name), declared)
    case .createChain(let name, _, let declared): (ProgramKey(.chain, name), declared)
    default: nil
    }
  }
}
