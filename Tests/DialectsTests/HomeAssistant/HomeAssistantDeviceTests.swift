import FleetModel
import Testing

@testable import Dialects

/// What Home Assistant is told of one board (MQTT API 7).
@Suite struct HomeAssistantDeviceTests {
  private func device(
    verbs: [String] = ["led", "identify"], streams: [(String, JSONObject)] = [], chains: [ChainStream] = [],
    description: BoardDescription? = .announced, labels: [String: String] = [:],
    installsFirmware: Bool = false
  ) -> HomeAssistantDevice {
    HomeAssistantDevice(
      topics: TopicTree(base: "m", gateway: "gw"), version: "1.0.0",
      info: BoardInfo(
        board: .example, family: "metamotion", name: "Pump 3", site: nil, profile: nil, groups: [],
        labels: labels, verbs: verbs, description: description, chains: chains, interviewed: nil,
        changed: .init(milliseconds: 0)),
      streams: streams.map { (name: $0.0, configuration: $0.1) }, installsFirmware: installsFirmware)
  }

  private func components(_ device: HomeAssistantDevice) throws -> JSONObject {
    try #require(device.document["components"]?.object)
  }

  @Test func `who it is, and where it is reached`() {
    let document = device(labels: ["room": "Boiler room"]).document
    #expect(
      document["device"] == [
        "identifiers": ["metafleet_e5a1c2d3f4b6"], "connections": [["bluetooth", "E5:A1:C2:D3:F4:B6"]],
        "name": "Pump 3", "suggested_area": "Boiler room", "manufacturer": "MbientLab Inc",
        "model": "MetaMotion S", "model_id": "8", "serial_number": "055B9E", "hw_version": "0.1",
        "sw_version": "1.7.3",
      ])
    #expect(document["origin"] == ["name": "MetaFleet", "sw_version": "1.0.0"])
  }

  @Test func `it is there while board and gateway are`() {
    let document = device().document
    let topics = document["availability"]?.array?.map { $0.object?["topic"] }
    #expect(topics == ["m/board/e5a1c2d3f4b6/availability", "m/gateway/gw/availability"])
    #expect(document["availability_mode"] == "all")
  }

  @Test func `every component has a platform and an identifier of its own`() throws {
    let members = try components(device(streams: [("pressure", ["every": "60s"])])).members
    let platforms = members.map { $0.value.object?["platform"]?.string ?? "" }
    #expect(
      Set(platforms).subtracting(["sensor", "event", "light", "button", "update"]).isEmpty)
    let identifiers = members.map { $0.value.object?["unique_id"]?.string ?? "" }
    #expect(Set(identifiers).count == members.count)
    #expect(identifiers.filter { !$0.hasPrefix("metafleet_e5a1c2d3f4b6_") } == [])
  }

  @Test func `a slow value comes from the live lane, and grows too old`() throws {
    let sensor = try components(device(streams: [("pressure", ["every": "60s"])]))["pressure"]?.object
    #expect(
      sensor == [
        "platform": "sensor", "unique_id": "metafleet_e5a1c2d3f4b6_pressure", "name": "Pressure",
        "state_topic": "m/board/e5a1c2d3f4b6/live/pressure",
        "value_template": "{{ value_json.pressure_pa | default(none) }}", "expire_after": 180,
        "device_class": "atmospheric_pressure", "unit_of_measurement": "Pa", "state_class": "measurement",
        "suggested_display_precision": 3,
      ])
  }

  @Test func `what is retained never expires`() throws {
    let retained = try components(device()).members.filter {
      $0.value.object?["state_topic"]?.string?.contains("/live/") != true
    }
    #expect(retained.count > 6)
    #expect(retained.filter { $0.value.object?["expire_after"] != nil }.map(\.key) == [])
  }

  @Test
  func
    `waves, the battery's stream and the button's are no sensors, and neither is a stream without a live lane`()
    throws
  {
    let all = try components(
      device(streams: [
        ("acceleration", ["rate_hz": 100]), ("battery", [:]), ("switch", [:]), ("quaternion", [:]),
        ("humidity", ["every": "10s", "live_rate_hz": 0]), ("temperature-die", ["every": "10s"]),
      ]))
    let live = all.members.filter { $0.value.object?["state_topic"]?.string?.contains("/live/") == true }
    #expect(live.map(\.key) == ["temperature-die"])
  }

  @Test func `what a chain sums up is shown, field by field`() throws {
    let chain = ChainStream(
      name: "tilt", fields: [.init("pitch", "°", decimals: 1), .init("roll", "°", decimals: 1)])
    let all = try components(device(streams: [("tilt", ["from": "acceleration"])], chains: [chain]))
    #expect(all["tilt_pitch"]?.object?["name"] == "Tilt pitch")
    #expect(all["tilt_roll"]?.object?["value_template"] == "{{ value_json.roll | default(none) }}")
    #expect(all["tilt_roll"]?.object?["expire_after"] == nil, "nobody knows how often a chain speaks")
  }

  @Test func `nothing is offered that the gateway refuses, or the board has not`() throws {
    let all = try components(device(verbs: ["read"], description: nil))
    #expect(all["led"] == nil && all["identify"] == nil && all["button"] == nil)
    #expect(all["battery"] != nil && all["firmware"] != nil)
    #expect(device(description: nil).document["device"]?.object?["model"] == nil)
  }

  @Test func `F267 firmware is shown, and installed from there only where the file lets it twice`() throws {
    for (verbs, installsFirmware) in [(["read"], true), (["firmware-update"], false)] {
      let update = try components(device(verbs: verbs, installsFirmware: installsFirmware))["firmware"]?
        .object
      #expect(update?["platform"] == "update" && update?["command_topic"] == nil)
      #expect(update?["payload_install"] == nil)
    }
    let allowed = try components(device(verbs: ["firmware-update"], installsFirmware: true))["firmware"]?
      .object
    #expect(allowed?["command_topic"] == "m/board/e5a1c2d3f4b6/cmd/firmware-update")
    #expect(allowed?["payload_install"] == #"{"args":{"confirm":"e5a1c2d3f4b6"}}"#)
  }

  @Test func `of an update Home Assistant hears what its schema takes: no version is null`() throws {
    let template = try #require(components(device())["firmware"]?.object?["value_template"]?.string)
    let keys = template.matches(of: /'(\w+)': value_json/).map { String($0.1) }
    #expect(keys == ["installed_version", "latest_version", "title", "in_progress", "update_percentage"])
    #expect(template.matches(of: /none/).count == 1 && template.contains("update_percentage | default(none)"))
  }
}

extension BoardDescription {
  /// A board with a button.
  static let announced = BoardDescription(
    model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "055B9E",
    hardwareRevision: "0.1", firmwareRevision: "1.7.3", imu: "bmi270",
    modules: ["switch": .init(id: 1, isPresent: true, implementation: 0, revision: 0, extra: [])],
    slots: .init(), streams: [])
}
