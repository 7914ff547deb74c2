import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct LiveBoardTests {
  private func sample(_ value: Double, at time: Int64 = 1_763_671_234_567) -> JSONObject {
    [
      "ts_ms": .integer(time), "ax_g": .number(value), "ay_g": -1, "seq": 5, "board": "e5a1c2d3f4b6",
      "stream": "acceleration", "gw": "g1",
    ]
  }

  @Test func `one row per board and stream, with the newest values and the trend`() {
    var board = LiveBoard()
    for value in [0.0, 0.5, 1] { board.received(LiveSampleDocument(json: sample(value)), name: "Pump 3") }
    var other = sample(1)
    other["stream"] = "x"
    board.received(LiveSampleDocument(json: other), name: "Pump 3")
    let rows = board.table(now: Timestamp(milliseconds: 1_763_671_236_567)).rows.map { $0.map(\.text) }
    #expect(rows.count == 2)
    #expect(rows.first == ["Pump 3", "acceleration", "▁▅█", "ax_g=1 ay_g=-1", "2s"])
  }

  @Test func `in a pipe a sample is a line`() {
    #expect(
      LiveBoard.line(of: LiveSampleDocument(json: sample(0.25)), name: "Pump 3")
        == "2025-11-20T20:40:34.567Z \"Pump 3\" acceleration ax_g=0.25 ay_g=-1")
    #expect(LiveBoard.line(of: LiveSampleDocument(json: [:]), name: "x") == nil)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (1_763_671_234_567, "2025-11-20T20:40:34.567Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `points in time`(_ milliseconds: Int64, _ expected: String) {
    #expect(ClockText.utc(Timestamp(milliseconds: milliseconds)) == expected)
  }
}
