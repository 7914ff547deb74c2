import FleetModel
import Testing

@testable import metafleet

@Suite struct StartReportTests {
  @Test func `the first lines say what runs, with which file, where its state is and whom it speaks to`() {
    var configuration = FleetConfiguration()
    configuration.gateway.id = "floor-3"
    configuration.mqtt.host = "broker.local"
    let listed = (1...3).map { BoardID(BluetoothAddress(rawValue: UInt64($0))) }
    configuration.boards = listed.map { BoardConfiguration(board: $0) }
    // One is in the file as well.
    let admitted = [listed[0], BoardID(BluetoothAddress(rawValue: 9))]
    let report = StartReport(
      configuration, version: "1.0", file: "/etc/m.yaml", directory: "/var/lib/metafleet", admitted: admitted)
    #expect(
      report.lines == [
        "MetaFleet 1.0, gateway floor-3", "configuration file: /etc/m.yaml",
        "state directory: /var/lib/metafleet", "broker: broker.local:1883",
        "Bluetooth adapters: all that BlueZ has", "boards: 3 in the configuration file, 1 admitted otherwise",
      ])
  }

  @Test func `adapters that were chosen, TLS and the user are named`() {
    var configuration = FleetConfiguration()
    configuration.mqtt.tls = TLSConfiguration()
    configuration.mqtt.username = "metafleet"
    configuration.bluetooth.adapters = [AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7113))]
    let lines = StartReport(configuration, version: "1", file: "f", directory: "d", admitted: []).lines
    #expect(lines[3].hasSuffix(":8883, with TLS, as metafleet"))
    #expect(lines[4] == "Bluetooth adapters: 001a7dda7113")
  }
}
