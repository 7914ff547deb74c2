import BoardKit
import FleetModel

@testable import MetaMotion

/// Setting up loggers, and finding out what others have set up.
extension ProgramPhrases {
  mutating func performLogger(_ phrase: String, _ number: String, on stage: inout VectorStage) throws -> Bool
  {
    if let match = phrase.wholeMatch(of: #/log (.+)/#) {
      let signal = try signal(String(match.1))
      let loggers = LoggerEntry.chunks(of: signal)
      stage.writes += loggers.map(\.command)
      objects[number] = .logged(signal)
      let slots = loggers.compactMap { _ in
        stage.takeAnswer(LoggerEntry.creation).flatMap(LoggerEntry.slot)
      }
      guard slots.count == loggers.count else { return true }
      read([
        LoggedStream(name: number, fields: [], slots: slots.map(Int.init), layout: signal.layout.encoded)
      ])
      return true
    }
    if let match = phrase.wholeMatch(of: #/generate logger identifier of object #(\d+)/#) {
      guard case .logged(let signal)? = objects[String(match.1)] else { return false }
      let name = graph.name(of: signal.address, signal.slice)
      return stage.find("identifiers", .array([.string(name)]))
    }
    if let match = phrase.wholeMatch(of: #/download log with (\d+) progress notifications/#) {
      return try download(notices: UInt32(match.1) ?? 0, on: &stage)
    }
    switch phrase {
    case "recover signals from an unknown board": return recover(on: &stage)
    case "attach log handler to object #1": return true
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
    read(recovery.signals.map { $0.logged() })
    if recovery.hasFailed {
      return stage.find(
        "result", "recovery fails with a timeout because the reply never arrives")
    }
    return stage.find("identifiers", .array(logged.map { .string($0.name) }))
  }

  private mutating func read(_ streams: [LoggedStream]) {
    logged = streams
    decoder = LogEntryDecoder(streams, rest: [])
  }

  /// As the vendor's host does it: page notices are asked for of revision 2 alone, where we always do (trap T12).
  private func download(notices: UInt32, on stage: inout VectorStage) throws -> Bool {
    if notices > 0 { stage.writes.append(LogMemory.progress.subscribe) }
    if board.revision(of: .logging) == 2 { stage.writes.append(LogMemory.pageCompleted.subscribe) }
    stage.writes += [LogMemory.entries.subscribe, LogClock.length.read()]
    let length = stage.takeAnswer(LogClock.length, isRead: true).flatMap(LogClock.length)
    let count = try NotUnderstood.unless(length)
    let every = notices == 0 ? 0 : UInt32(Float(count) / Float(notices))
    stage.writes.append(LogMemory.read(count, progressEvery: every))
    if stage.takeAnswer(LogMemory.pageCompleted) != nil { stage.writes.append(LogMemory.confirmPage) }
    return true
  }

  /// Values of the first signal. Their times are the log clock's; here they count from the first.
  mutating func hearLog(_ packet: [UInt8]) throws -> [Heard] {
    var decoded = DecodedLog()
    decoder?.decode(packet.dropFirst(2), into: &decoded)
    return try decoded.entries.filter { $0.stream == 0 }.map { entry in
      let layout = try NotUnderstood.unless(SampleLayout(encoded: logged[0].layout))
      let values = Array(decoded.values[entry.values])
      // An accounter's number is no value of the vectors.
      let own = layout.numbers.map { Array(values.suffix($0.channels)) } ?? values
      return .value(Self.json(layout, .init(values: own)))
    }
  }
}
