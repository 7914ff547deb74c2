import FleetModel
import Testing

@Suite struct ClientKeysTests {
  @Test func `the keys are those of the section mqtt, declared once`() {
    let file = Dictionary(ConfigurationKeys.leaves.map { ($0.path, $0.key) }) { first, _ in first }
    let client = ConfigurationKeys.leaves(of: ClientKeys.file)
    #expect(
      client.map(\.path) == [
        "mqtt.host", "mqtt.port", "mqtt.tls", "mqtt.username", "mqtt.password_file", "mqtt.base",
        "mqtt.protocol",
        "mqtt.connect_timeout",
      ])
    for (path, key) in client {
      #expect(file[path]?.summary == key.summary && file[path]?.standard == key.standard, "\(path)")
      #expect(key.file?.reload == nil, "a client reads its file anew each time")
    }
  }

  @Test func `a reading is the broker, or what is wrong with it`() {
    let good = ClientReading(["mqtt": ["host": "broker", "tls": true, "username": "me"]])
    #expect(good.faults.isEmpty)
    #expect(
      good.uplink.host == "broker" && good.uplink.tls == TLSConfiguration() && good.uplink.base == "metafleet"
    )
    #expect(ClientReading(["mqtt": ["client_id": "x"]]).faults.map(\.severity) == [.error])
    #expect(ClientReading(["mqtt": ["host": "mqtt://broker/x"]]).faults.map(\.severity) == [.error])
  }
}
