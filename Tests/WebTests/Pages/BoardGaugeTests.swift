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
    #expect(values[.needsAttention] == 0 && values[.isInMaintenance] == 0)
    let unknown = FleetSnapshot.Board(SampleFleet.id(1))
    for gauge in BoardGauge.allCases { #expect(gauge.value(of: unknown) == nil, "\(gauge)") }
  }

  @Test func `attention is for boards that nobody ordered to be as they are`() {
    var board = FleetSnapshot.Board(SampleFleet.id(1))
    func attention(_ reason: ReasonCode, isWorkedOn: Bool = false) -> [Double?] {
      var state = BoardState(board: board.id, link: .unseen, time: SampleFleet.now)
      state.reason = StatedReason(reason, "A sentence.")
      if isWorkedOn {
        state.orders.maintenance = Maintenance(until: SampleFleet.now, reason: nil, who: nil)
      }
      board.state = state
      return [BoardGauge.needsAttention, .isInMaintenance].map { $0.value(of: board) }
    }
    #expect(attention(.unreachable) == [1, 0])
    #expect(attention(.disabled) == [0, 0])
    #expect(attention(.unreachable, isWorkedOn: true) == [0, 1])
  }
}
