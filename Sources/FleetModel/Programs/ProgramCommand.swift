/// A change of what a board does by itself (MQTT contract 3.7, 3.8).
public enum ProgramCommand: Hashable, Sendable {
  /// Something by the name we gave it, or by its slot where others made it.
  public enum Target: Hashable, Sendable {
    case name(String)
    case slot(UInt8)
  }

  case createTimer(String, BoardProgram.Timer)
  case startTimer(String)
  case stopTimer(String)
  case removeTimer(Target)
  case bindEvent(String, BoardProgram.Event)
  case removeEvent(Target)
  case createChain(String, Chain)
  case changeProcessor(ProcessorChange)
  case removeChain(Target)
  case listProcessors
  case recordMacro(String, [BoardAction], isRunAtBoot: Bool)
  case runMacro(String)
  /// Others' macros go, too, where that is wanted.
  case eraseMacros(includingForeign: Bool)
  case listMacros
}
