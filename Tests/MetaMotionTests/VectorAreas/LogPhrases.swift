import BoardKit
import FleetModel

@testable import MetaMotion

/// The log as far as it is not set up by signals.
struct LogPhrases: VectorArea {
  private var decoder: LogEntryDecoder?
  private let board: Inventory
  /// Whether a sample is to be told as bytes; as an acceleration otherwise.
  private var isRaw = false
  private var isEntry = false
  private var isFlat = false
  /// The tick of the last sample, where the time between samples is to be told.
  private var lastTick: UInt32?
  private var tellsIntervals = false

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
    case "decode log entries of the flat detector logged with id 0, accelerometer revision 2":
      (decoder, isFlat) = (Self.decoder([0], .numbers(.plain(1))), true)
    case "loggers 0 (bytes 0-3) and 1 (bytes 4-5) hold BMI160 acceleration at 2 g":
      decoder = Self.decoder([0, 1], acceleration)
    case "loggers 0 and 1", "loggers 0 and 1 hold BMI160 acceleration chunks":
      (decoder, isRaw) = (Self.decoder([0, 1], .numbers(.plain(1, channels: 6))), true)
    case "time reference reply, then an entry stamped just before the 32-bit tick wraps followed by one after the wrap: "
      + "the later entry is 21 ms later":
      (decoder, tellsIntervals) = (Self.decoder([0, 1], acceleration), true)
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
    case [0x0B, 0x84]: return []
    case [0x0B, 0x07] where isEntry:
      let clock = try NotUnderstood.unless(LogEntry.clock(packet.span.bytes, at: 2))
      return [
        .value([
          "id": .integer(Int64(LogEntry.slot(packet[2]))), "reset_uid": .integer(Int64(clock.resetID)),
          "tick": .integer(Int64(clock.tick)), "data": .string(Array(packet[7..<11]).hex),
        ])
      ]
    case [0x0B, 0x07]:
      var decoded = DecodedLog()
      guard decoder?.decode(packet.dropFirst(2), into: &decoded) != nil else { return nil }
      return try decoded.entries.flatMap { try tell($0, Array(decoded.values[$0.values])) }
    default: return nil
    }
  }

  private mutating func tell(_ entry: DecodedLog.Entry, _ values: [Double]) throws -> [Heard] {
    if isRaw { return [.value(.string(values.map { UInt8($0) }.hex))] }
    if isFlat {
      return try board.notice([0x03, 0x14] + values.map { UInt8($0) }, streaming: "flat").map {
        .value(.bool($0.type == "flat"))
      }
    }
    guard tellsIntervals else { return [.value(ProgramPhrases.json(acceleration, .init(values: values)))] }
    defer { lastTick = entry.clock.tick }
    guard let lastTick else { return [] }
    let passed = LogClock.nanoseconds(Int64(entry.clock.tick &- lastTick))
    return [.value(["interval_ms_between_samples": .integer((passed + 500_000) / 1_000_000)])]
  }

  private var acceleration: SampleLayout {
    SensorModules.signal(named: "acceleration", on: board.accelerometer?.chip)?.layout()
      ?? .numbers(.plain(1))
  }

  private static func decoder(_ slots: [Int], _ layout: SampleLayout) -> LogEntryDecoder {
    LogEntryDecoder(
      [LoggedStream(name: "logged", fields: [], slots: slots, layout: layout.encoded)], rest: [])
  }
}

extension LogEntryDecoder {
  /// The same, of bytes in an array.
  mutating func decode(_ entries: some Sequence<UInt8>, into decoded: inout DecodedLog) {
    let bytes = Array(entries)
    decode(bytes.span.bytes, into: &decoded)
  }
}
