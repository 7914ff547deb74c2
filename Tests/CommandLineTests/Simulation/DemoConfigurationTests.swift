import FleetModel
import Testing

@testable import metafleet

@Suite struct DemoConfigurationTests {
  @Test func `the generated configuration lists every board as the contract says`() throws {
    let fleet = try SimulationPlan(count: 3, models: "s,rl", seed: 1)
    func text(httpPort: Int?) -> String {
      DemoConfiguration.text(
        fleet: fleet, port: 1884, httpPort: httpPort, directory: "/tmp/x", index: "/tmp/y",
        encodings: [.cbor, .json])
    }
    let result = read(text(httpPort: 9_465))
    #expect(result.configuration.consumers.http.listen == .internet("127.0.0.1", port: 9_465))
    #expect(read(text(httpPort: nil)).configuration.consumers.http.listen == nil)
    #expect(!result.problems.hasErrors)
    let configuration = result.configuration
    #expect(configuration.gateway.id == "demo")
    #expect(configuration.lanes.encodings == [.json, .cbor])
    #expect(configuration.mqtt.base == "metafleet")
    #expect(configuration.mqtt.port == 1884)
    #expect(configuration.storage.directory == "/tmp/x")
    #expect(configuration.firmware.index == "/tmp/y")
    #expect(configuration.schedules.battery == .every(.seconds(60)))
    #expect(
      configuration.boards.map(\.board.description) == ["c0ffee000001", "c0ffee000002", "c0ffee000003"])
    #expect(configuration.boards.map(\.name) == ["Demo 1", "Demo 2", "Demo 3"])
    #expect(configuration.boards.map(\.groups) == [["demo", "s"], ["demo", "rl"], ["demo", "s"]])
    #expect(configuration.boards.map(\.profile) == ["demo-s", "demo-rl", "demo-s"])
    // What the chip of each model can notice.
    #expect(configuration.profiles["demo-s"]?.streams["wrist-gesture"] != nil)
    #expect(configuration.profiles["demo-s"]?.streams["tap"] == nil)
    #expect(configuration.profiles["demo-rl"]?.streams["tap"] != nil)
    #expect(configuration.profiles["demo-rl"]?.streams["acceleration"]?.configuration["rate_hz"] == 50)
    #expect(configuration.profiles["demo-r"] == nil, "there is no such board")
    let streams = configuration.profiles["demo"]?.streams
    #expect(streams?["acceleration"]?.configuration["rate_hz"] == 50)
    #expect(streams?["acceleration"]?.configuration["range_g"] == 4)
    #expect(streams?["temperature-die"]?.configuration["every"] == "10s")
  }
}
