import BoardKit
import FleetModel

@testable import MetaMotion

/// The log as far as it is neither downloaded nor set up by signals.
struct LogPhrases: VectorArea {
  private var reassembly: LogReassembly?
  private let board: Inventory
  /// Whether a sample is to be told as bytes, by its length; as an acceleration otherwise.
  private var isRaw = false
  private var isEntry = false
  private var isFlat = false

  init(on board: Inventory) { self.board = board }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) -> Bool {
    switch phrase {
    case "start logging (overwrite=1)":
      stage.writes += LogMemory.start(overwriting: true)
    case "stop logging": stage.writes.append(LogMemory.stop)
    case "clear log entries", "clear log entries (no page-completed toggle)":
      stage.writes.append(LogMemory.clear)
    case "page completed notification is answered": stage.writes.append(LogMemory.confirmPage)
    case "remove logger 1": stage.writes.append(LoggerEntry.remove(1))
    case "download progress notification", "set response timeout 2000 ms", "decode": break
    case "decode one log entry": isEntry = true
    case "decode log entries of the flat detector logged with id 0, accelerometer revision 2": isFlat = true
    case "loggers 0 (bytes 0-3) and 1 (bytes 4-5) hold BMI160 acceleration at 2 g":
      reassembly = LogReassembly(loggers: [0, 1])
    case "loggers 0 and 1", "loggers 0 and 1 hold BMI160 acceleration chunks":
      (reassembly, isRaw) = (LogReassembly(loggers: [0, 1]), true)
    case "the final sample lacks its second chunk and is dropped", "two samples carry the same tick",
      "pair in arrival order":
      break
    default: return false
    }
    return true
  }

  mutating func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0x0B, 0x08]: return [.number(Double(try NotUnderstood.unless(LogMemory.entriesLeft(packet))))]
    case [0x0B, 0x0D], [0x0B, 0x02]: return []
    case [0x0B, 0x07] where isEntry:
      return LogRecord.records(in: packet).map { record in
        .value([
          "id": .integer(Int64(record.logger)), "reset_uid": .integer(Int64(record.resetID)),
          "tick": .integer(Int64(record.tick)), "data": .string(record.data.hex),
        ])
      }
    case [0x0B, 0x07] where isFlat:
      return try LogRecord.records(in: packet).flatMap { record in
        try board.notice([0x03, 0x14] + record.data.prefix(1), streaming: "flat").map {
          .value(.bool($0.type == "flat"))
        }
      }
    case [0x0B, 0x07] where reassembly != nil:
      let samples = LogRecord.records(in: packet).compactMap { reassembly?.take($0) }
      return try samples.map { sample in
        if isRaw { return .value(.string(Array(sample.bytes.prefix(6)).hex)) }
        let layout = try NotUnderstood.unless(
          RootSignals.find(named: "acceleration", on: board.accelerometer?.chip)?.layout(SignalScales()))
        return .value(
          ProgramPhrases.json(layout, try NotUnderstood.unless(layout.samples(in: sample.bytes))[0]))
      }
    default: return nil
    }
  }
}
