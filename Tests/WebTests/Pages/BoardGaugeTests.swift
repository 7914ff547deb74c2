import FleetModel
import Testing

@testable import Web

@Suite struct BoardGaugeTests {
  @Test func `values are in base units, and unknown ones are left out`() throws {
    let board = try #require(SampleFleet.snapshot(boards: 1).boards.first)
    let values = Dictionary(uniqueKeysWithValues: BoardGauge.allCases.map { ($0, $0.value(of: board)) })
    #expect(values[.battery] == 0.8 && values[.batteryVoltage] == 4 && values[.logUsed] == 0.125)
    #expect(values[.clockError] == 0.0008 && values[.lastSeen] == 1_763_671_234)
    #expect(values[.online] == 1 && values[.connected] == 1 && values[.trouble] == 0)
    let unknown = FleetSnapshot.Board(SampleFleet.id(1))
    for gauge in BoardGauge.allCases { #expect(gauge.value(of: unknown) == nil, "\(gauge)") }
  }
}
