import FleetModel
import Storage
import Testing

@testable import metafleet

@Suite struct SessionTableTests {
  @Test func `narrow terminals keep which session it is, when it began and what is lost`() {
    let ledger = LogLedger(session: LogExample.session(expected: 100, stored: 100))
    let table = SessionTable.table(of: [ledger], names: [LogExample.board: "Pump 3"])
    #expect(
      table.fitted(to: 80).columns.map(\.title) == ["SESSION", "BOARD", "STARTED", "STATE", "LOST"])
    #expect(table.fitted(to: 200).columns.count == 12)
  }

  @Test func `the newest comes first, and short ids tell all listed sessions apart`() {
    var random = SeededGenerator(seed: 1)
    var ledgers: [LogLedger] = []
    for minute in [1, 2, 2] as [Int64] {
      var session = LogExample.session(expected: 1, stored: 1)
      session.started = Timestamp(milliseconds: minute * 60_000)
      session.id = ULID(at: session.started, using: &random)
      ledgers.append(LogLedger(session: session))
    }
    let short = SessionTable.table(of: ledgers, names: [:], hasShortIDs: true).rows.map { $0[0].text }
    let whole = SessionTable.table(of: ledgers, names: [:]).rows.map { $0[0].text }
    #expect(whole.last == ledgers[0].session.id.description)
    #expect(Set(short).count == 3 && short.allSatisfy { (10..<20).contains($0.count) }, "\(short)")
    let objects = SessionTable.newestFirst(ledgers.map(SessionTable.object))
    #expect(objects.map { $0["session"]?.string } == whole, "objects, too")
    #expect(zip(short, whole).allSatisfy { $1.hasPrefix($0) })
  }
}
