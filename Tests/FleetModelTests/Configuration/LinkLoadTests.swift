import FleetModel
import Testing

@Suite struct LinkLoadTests {
  private func load(_ streams: [String: JSONObject]) -> LinkLoad {
    LinkLoad(of: streams.map { StreamRequest(name: $0.key, configuration: $0.value) })
  }

  @Test func `F161 packets count, not samples`() {
    #expect(load(["acceleration": ["rate_hz": 300, "packed": "on"]]).total == 100)
    #expect(load(["acceleration": ["rate_hz": 100, "packed": "off"]]).total == 100)
    #expect(load(["acceleration": ["rate_hz": 12.5, "packed": "auto"]]).total == 12.5 / 3)
    #expect(load(["acceleration": ["rate_hz": 6.25, "packed": "auto"]]).total == 6.25)
    #expect(load(["quaternion": ["mode": "ndof"], "gravity": ["mode": "ndof"]]).total == 200)
    #expect(load(["temperature-die": ["every": "1s"], "switch": [:], "nothing": [:]]).total == 0)
  }

  @Test func `F161 components of a sensor share its packets`() {
    let rate: JSONObject = ["rate_hz": 100, "packed": "off"]
    #expect(load(["acceleration-x": rate, "acceleration-y": rate]).total == 100)
  }

  @Test func `F161 more than a link carries is warned of, with what asks for it`() throws {
    #expect(load(["acceleration": ["rate_hz": 200, "packed": "off"]]).warning == nil)
    let warning = try #require(
      load([
        "acceleration": ["rate_hz": 800, "packed": "on"],
        "angular-velocity": ["rate_hz": 100, "packed": "off"],
      ]).warning)
    #expect(warning.hasPrefix("asks for 367 packets a second (acceleration 267, angular-velocity 100)"))
  }
}
