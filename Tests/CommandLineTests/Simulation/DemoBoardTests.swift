import FleetModel
import Testing

@testable import metafleet

@Suite struct DemoBoardTests {
  private func publish(_ topic: String, _ text: String, to board: inout DemoBoard) {
    board.received(MQTTMessage(topic: "metafleet/\(topic)", payload: Array(text.utf8)))
  }

  @Test func `a board that streamed once came up`() {
    var board = DemoBoard(expecting: 2)
    publish("board/c0ffee000001/state", #"{"link":"connecting"}"#, to: &board)
    #expect(board.streamed.isEmpty)
    publish("board/c0ffee000001/state", #"{"link":"streaming"}"#, to: &board)
    publish("board/c0ffee000001/state", #"{"link":"idle"}"#, to: &board)
    #expect(!board.isComplete)
    publish("board/c0ffee000002/state", #"{"link":"streaming"}"#, to: &board)
    #expect(board.isComplete)
    let tally = DemoBoard.Tally(received: 3, published: 2, dropped: 1)
    #expect(
      board.line(after: .seconds(5), tally) == "5s: 1 of 2 boards stream, received 3 published 2 dropped 1")
    #expect(
      board.object(after: .seconds(5), tally) == [
        "elapsed_s": 5, "boards": 2, "streaming": 1, "received": 3, "published": 2, "dropped": 1,
      ])
  }

  @Test func `the table shows state and newest values`() {
    var board = DemoBoard(expecting: 1)
    publish("board/c0ffee000001/info", #"{"name":"Demo 1","model":"MetaMotion S"}"#, to: &board)
    publish("board/c0ffee000001/state", #"{"link":"streaming","battery_pct":92,"rssi_dbm":-51}"#, to: &board)
    publish(
      "board/c0ffee000001/live/temperature-die",
      #"{"ts_ms":1,"temperature_c":25.04,"seq":1,"board":"c0ffee000001","stream":"temperature-die","gw":"demo"}"#,
      to: &board)
    for value in [0.0, 1] {
      publish(
        "board/c0ffee000001/live/acceleration",
        #"{"ts_ms":1,"ax_g":\#(value),"ay_g":0,"az_g":1,"seq":1,"board":"c0ffee000001","stream":"acceleration","gw":"demo"}"#,
        to: &board)
    }
    let lines = board.lines(
      after: .seconds(1), DemoBoard.Tally(), address: "mqtt://x", width: 200, isColoured: false)
    #expect(lines.last == "Demo 1  MetaMotion S  streaming     92 %  -51 dBm  25.0 °C  ▁█")
  }
}
