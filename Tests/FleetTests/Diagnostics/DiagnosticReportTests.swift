import FleetModel
import Testing

@testable import Fleet

@Suite struct DiagnosticReportTests {
  private func report(problems: [String]) -> DiagnosticReport {
    var adapter = AdapterReport(
      id: AdapterID(BluetoothAddress(rawValue: 1)), name: "hci0", state: "up", slotsTotal: 7)
    adapter.resets = 2
    var board = BoardState(board: .number(1), link: .streaming, time: .at(5))
    board.orders.commandsWaiting = 3
    return DiagnosticReport(
      host: HostFacts(version: "1.2.3", name: "attic", operatingSystem: "Linux", measure: { [:] }),
      gateway: "gw",
      time: .at(9), health: [.outboxMessages: 12, .outboxBytes: 3400], adapters: [adapter], boards: [board],
      problems: problems)
  }

  @Test func `the reply tells versions adapters queues and problems`() {
    let summary = report(problems: ["warning: a", "error: b"]).summary
    #expect(summary["version"] == "1.2.3")
    #expect(summary["queues"]?.object?["outbox_messages"] == 12)
    #expect(summary["queues"]?.object?["commands_waiting"] == 3)
    #expect(summary["adapters"]?.array?.first?.object?["resets"] == 2)
    #expect(summary["problems"]?.array == ["warning: a", "error: b"])
  }

  @Test func `fifty problems of any length fit into a reply; the bundle holds all of them`() {
    let long = String(repeating: "x", count: 5_000)
    let report = report(problems: Array(repeating: long, count: 50))
    #expect(JSONWriter.render(report.summary).count < 64 << 10)
    let text = report.files.first { $0.name == "problems.txt" }?.bytes.count
    #expect(text == 50 * 5_001)
  }

  @Test func `the bundle has a line per board`() throws {
    let boards = try #require(report(problems: []).files.first { $0.name == "boards.jsonl" }).bytes
    let document = try StrictJSON.parse(Array(boards.dropLast())).object
    #expect(document?["board"]?.string == BoardID.number(1).description)
    #expect(document?["link"] == "streaming")
  }
}
