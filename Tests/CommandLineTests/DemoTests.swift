import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct DemoTests {
  @Test func `the generated configuration lists every board as the contract says`() throws {
    let fleet = try SimulationPlan(count: 3, models: "s,rl", seed: 1)
    let result = read(DemoConfiguration.text(fleet: fleet, port: 1884, directory: "/tmp/x"))
    #expect(!result.problems.hasErrors)
    let configuration = result.configuration
    #expect(configuration.gateway.id == "demo")
    #expect(configuration.mqtt.base == "metafleet")
    #expect(configuration.mqtt.port == 1884)
    #expect(configuration.storage.directory == "/tmp/x")
    #expect(configuration.schedules.battery == .every(.seconds(60)))
    #expect(
      configuration.boards.map(\.board.description) == ["c0ffee000001", "c0ffee000002", "c0ffee000003"])
    #expect(configuration.boards.map(\.name) == ["Demo 1", "Demo 2", "Demo 3"])
    #expect(configuration.boards.map(\.groups) == [["demo", "s"], ["demo", "rl"], ["demo", "s"]])
    let streams = configuration.profiles["demo"]?.streams
    #expect(streams?["acceleration"]?.configuration["rate_hz"] == 50)
    #expect(streams?["acceleration"]?.configuration["range_g"] == 4)
    #expect(streams?["temperature-die"]?.configuration["every"] == "10s")
  }

  private func tell(_ topic: String, _ text: String, to board: inout DemoBoard) {
    board.received(MQTTMessage(topic: "metafleet/\(topic)", payload: Array(text.utf8)))
  }

  @Test func `a board that streamed once came up`() {
    var board = DemoBoard(expecting: 2)
    tell("board/c0ffee000001/state", #"{"link":"connecting"}"#, to: &board)
    #expect(board.streamed.isEmpty)
    tell("board/c0ffee000001/state", #"{"link":"streaming"}"#, to: &board)
    tell("board/c0ffee000001/state", #"{"link":"idle"}"#, to: &board)
    #expect(!board.isComplete)
    tell("board/c0ffee000002/state", #"{"link":"streaming"}"#, to: &board)
    #expect(board.isComplete)
    let tally = DemoBoard.Tally(received: 3, published: 2, dropped: 1)
    #expect(
      board.line(after: .seconds(5), tally) == "5s: 1 of 2 boards stream, received 3 published 2 dropped 1")
  }

  @Test func `the table shows state and newest values`() {
    var board = DemoBoard(expecting: 1)
    tell("board/c0ffee000001/info", #"{"name":"Demo 1","model":"MetaMotion S"}"#, to: &board)
    tell("board/c0ffee000001/state", #"{"link":"streaming","battery_pct":92,"rssi_dbm":-51}"#, to: &board)
    tell(
      "board/c0ffee000001/live/temperature-die",
      #"{"ts_ms":1,"temperature_c":25.04,"seq":1,"board":"c0ffee000001","stream":"temperature-die","gw":"demo"}"#,
      to: &board)
    for value in [0.0, 1] {
      tell(
        "board/c0ffee000001/live/acceleration",
        #"{"ts_ms":1,"ax_g":\#(value),"ay_g":0,"az_g":1,"seq":1,"board":"c0ffee000001","stream":"acceleration","gw":"demo"}"#,
        to: &board)
    }
    let lines = board.lines(
      after: .seconds(1), DemoBoard.Tally(), address: "mqtt://x", width: 200, isColoured: false)
    #expect(lines.last == "Demo 1  MetaMotion S  streaming     92 %  -51 dBm  25.0 °C  ▁█")
  }
}
