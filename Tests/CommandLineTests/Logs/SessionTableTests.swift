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
    #expect(table.fitted(to: 200).columns.count == 11)
  }
}
