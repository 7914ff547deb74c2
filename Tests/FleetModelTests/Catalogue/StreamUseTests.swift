import FleetModel
import Testing

/// What is logged takes the keys of what is streamed, but for the lanes (MQTT contract 2.1, 2.2).
@Suite struct StreamUseTests {
  private func request(_ name: String, _ configuration: JSONObject) -> StreamRequest {
    StreamRequest(name: name, configuration: configuration)
  }

  @Test func `lanes are not for logs`() throws {
    let stream = try #require(StreamCatalogue.find("acceleration")?.stream)
    #expect(stream.parameters(for: .stream).contains { $0.name == "record" })
    #expect(!stream.parameters(for: .log).contains { $0.name == "record" || $0.name == "live_rate_hz" })
    #expect(try stream.configure([:], for: .log).values["record"] == nil)
    #expect(throws: CommandFailure.self) { try stream.configure(["record": true], for: .log) }
  }

  @Test func `a sensor runs one way`() {
    let streamed = request("acceleration", ["rate_hz": 50, "range_g": 4, "record": true])
    #expect(streamed.conflict(with: request("acceleration", ["rate_hz": 50, "range_g": 4])) == nil)
    let other = streamed.conflict(with: request("acceleration-y", ["rate_hz": 100, "range_g": 4]))
    #expect(other?.code == .invalid && other?.message.contains("rate_hz") == true)
    #expect(streamed.conflict(with: request("angular-velocity", ["rate_hz": 100])) == nil)
    // How often something is read is no configuration of its sensor.
    let read = request("temperature-die", ["every": "10s"])
    #expect(read.conflict(with: request("temperature-die", ["every": "60s"])) == nil)
  }
}
