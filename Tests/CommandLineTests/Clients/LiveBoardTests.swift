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
    #expect(rows.first == ["Pump 3", "acceleration", "2s", "ax_g=1 ay_g=-1", "ax_g ▁▅█"])
  }

  @Test func `three values, the trend and the age fit 80 columns`() {
    var board = LiveBoard()
    for number in 0..<30 {
      let sample: JSONObject = [
        "ts_ms": .integer(Int64(1_763_671_234_567 + number)), "ax_g": .number(-1.23456 / Double(number + 1)),
        "ay_g": -0.04639, "az_g": 0.99829, "seq": 5, "board": "e5a1c2d3f4b6", "stream": "acceleration",
      ]
      board.received(LiveSampleDocument(json: sample), name: "Pump 3")
    }
    let now = Timestamp(milliseconds: 1_763_671_236_567)
    let table = board.table(fitting: 80, now: now, by: .name, isReversed: false, with: "")
    let lines = table.lines(width: 80)
    #expect(table.columns.map(\.title) == ["BOARD", "STREAM", "AGE", "VALUE", "TREND"])
    #expect(lines[1].contains("ax_g=-0.041 ay_g=-0.046 az_g=0.998  ax_g "))
    #expect(lines.allSatisfy { TextWidth.of($0) <= 80 && !$0.contains("…") }, "\(lines)")
  }

  @Test
  func `streams are sorted by board, by stream, or by how long they are silent, and found by either name`() {
    var board = LiveBoard()
    for (name, stream, time) in [("Pump 10", "a", 3), ("Pump 2", "b", 1), ("Fan", "a", 2)]
      as [(String, String, Int64)]
    {
      var sample = sample(1, at: time)
      sample["stream"] = .string(stream)
      board.received(LiveSampleDocument(json: sample), name: name)
    }
    func names(_ order: LiveBoard.Order, isReversed: Bool = false, with text: String = "") -> [String] {
      board.table(now: Timestamp(milliseconds: 9), by: order, isReversed: isReversed, with: text).rows.map {
        $0[0].text
      }
    }
    #expect(names(.name) == ["Fan", "Pump 2", "Pump 10"])
    #expect(names(.stream) == ["Fan", "Pump 10", "Pump 2"])
    #expect(names(.age) == ["Pump 2", "Fan", "Pump 10"])
    #expect(names(.age, isReversed: true) == ["Pump 10", "Fan", "Pump 2"])
    #expect(names(.name, with: "PUMP") == ["Pump 2", "Pump 10"] && names(.name, with: "b") == ["Pump 2"])
  }

  @Test(arguments: [(1.23456, 1.235), (-12.3456, -12.35), (123.456, 123.5), (101_325.4, 101_325), (0, 0)])
  func `values have four digits`(_ value: Double, _ expected: Double) {
    #expect(LiveBoard.rounded(value) == expected)
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
