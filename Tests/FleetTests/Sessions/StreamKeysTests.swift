import FleetModel
import Testing

@testable import Fleet

@Suite struct StreamKeysTests {
  private func request(_ name: String) -> StreamRequest { StreamRequest(name: name, configuration: [:]) }

  @Test func `streams are asked for in the order of their names, sensors that nobody hears behind them`() {
    var keys = StreamKeys()
    let requests = keys.requests(
      ["temperature-die": request("temperature-die"), "acceleration": request("acceleration")],
      sensors: ["log/gyroscope": request("gyroscope")])
    #expect(
      requests == [
        StreamKey(0): request("acceleration"), StreamKey(1): request("temperature-die"),
        StreamKey(2): request("gyroscope"),
      ])
  }

  @Test func `a stream keeps its key, and whoever comes later goes by what is there`() {
    var keys = StreamKeys()
    _ = keys.requests(["temperature-die": request("temperature-die")], sensors: [:])
    let requests = keys.requests(
      ["temperature-die": request("temperature-die"), "acceleration": request("acceleration")], sensors: [:])
    #expect(
      requests == [StreamKey(0): request("temperature-die"), StreamKey(1): request("acceleration")])
  }

  @Test func `what is changed goes by the others, as if it were new`() {
    var keys = StreamKeys()
    let given = ["a", "b"].map { keys.key(of: $0) }
    #expect(given == [StreamKey(0), StreamKey(1)])
    keys.putLast("a")
    #expect(keys["a"] == StreamKey(2) && keys["b"] == StreamKey(1))
    keys.putLast("a")
    #expect(keys["a"] == StreamKey(2), "it is the last already")
    keys["a"] = StreamKey(0)
    let givenAgain = ["a", "c"].map { keys.key(of: $0) }
    #expect(givenAgain == [StreamKey(0), StreamKey(2)])
  }
}
