import Testing

@testable import Simulator

struct EntryLogTests {
  private func entry(_ number: Int) -> LogEntry {
    LogEntry(logger: 1, resetCount: 5, tick: UInt32(number), data: [UInt8(truncatingIfNeeded: number)])
  }

  private func all(_ log: EntryLog) -> ArraySlice<LogEntry> { log.entries(from: 0, limit: .max) }

  /// Entries that a board of this model can hold.
  static func capacity(of model: BoardModel) -> Int {
    UInt32(littleEndian: model.extra(of: LoggingModule.id), at: 1).map(Int.init) ?? 0
  }

  @Test func `An entry is nine bytes, the value left-justified`() {
    let entry = LogEntry(logger: 1, resetCount: 5, tick: 0x42E6, data: [0xDD, 0x0F])
    #expect(entry.bytes.hex == "A1 E6 42 00 00 DD 0F 00 00")
  }

  @Test func `A full log loses what is new, or its oldest page`() {
    var log = EntryLog(capacity: 1024)
    for number in 0..<1030 { log.append(entry(number)) }
    #expect(log.count == 1024 && all(log).last == entry(1023))
    log.overwritesOldest = true
    log.append(entry(2000))
    #expect(log.count == 513 && all(log).first == entry(512) && all(log).last == entry(2000))
    log.dropOldest(.max)
    #expect(log.count == 0)
  }

  @Test func `A log without capacity takes nothing`() {
    var log = EntryLog(capacity: 0)
    log.overwritesOldest = true
    log.append(entry(1))
    #expect(log.count == 0)
  }
}
