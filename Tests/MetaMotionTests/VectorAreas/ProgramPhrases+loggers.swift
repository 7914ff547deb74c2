import BoardKit
import FleetModel

@testable import MetaMotion

/// Setting up loggers, and finding out what others have set up.
extension ProgramPhrases {
  mutating func performLogger(_ phrase: String, _ number: String, on stage: inout VectorStage) throws -> Bool
  {
    if let match = phrase.wholeMatch(of: #/log (.+)/#) {
      let signal = try signal(String(match.1))
      stage.writes += LoggerEntry.chunks(of: signal).map(\.command)
      objects[number] = .logged(signal)
      return true
    }
    if let match = phrase.wholeMatch(of: #/generate logger identifier of object #(\d+)/#) {
      guard case .logged(let signal)? = objects[String(match.1)] else { return false }
      let name = graph.name(of: signal.address, signal.slice)
      return stage.find("identifiers", .array([.string(name)]))
    }
    switch phrase {
    case "recover signals from an unknown board": return recover(on: &stage)
    case "download log with 0 progress notifications":
      guard recovery != nil else { return false }
      stage.writes += [
        LogMemory.pageCompleted.subscribe, LogMemory.entries.subscribe, LogClock.length.read(),
      ]
      let length = stage.takeAnswer(LogClock.length, isRead: true).flatMap(LogClock.length)
      return stage.write(LogMemory.read(try NotUnderstood.unless(length), tellingEvery: 0))
    case "attach a handler to a recovered signal", "query the recovered signal identifier": return true
    default: return false
    }
  }

  private mutating func recover(on stage: inout VectorStage) -> Bool {
    var recovery = SignalRecovery(board)
    while let question = recovery.question {
      stage.writes.append(question.register.read(question.selector))
      recovery.take(stage.takeAnswer(question.register, isRead: true))
    }
    self.recovery = recovery
    recovered = recovery.signals.map { ($0, LogReassembly(loggers: $0.loggers)) }
    if recovery.hasFailed {
      return stage.find(
        "result", "recovery fails with a timeout because the reply never arrives")
    }
    return stage.find("identifiers", .array(recovered.map { .string($0.signal.name) }))
  }

  /// Values of recovered signals. Their times are the log clock's; here they count from the first.
  mutating func hearLog(_ packet: [UInt8]) throws -> [Heard] {
    var heard: [Heard] = []
    for record in LogRecord.records(in: packet) {
      for index in recovered.indices {
        guard let sample = recovered[index].reassembly.take(record), index == 0 else { continue }
        let layout = try NotUnderstood.unless(recovered[index].signal.layout)
        let samples = try NotUnderstood.unless(layout.samples(in: sample.bytes))
        heard += samples.map { .value(Self.json(layout, $0)) }
      }
    }
    return heard
  }
}
