import FleetModel
import Testing

/// The table of MQTT contract 2.2 for the streams there are.
@Suite struct StreamCatalogueTests {
  struct Row: Sendable {
    var name: String
    var fields: [String]
    var unit: [String]
    var kind = StreamDefinition.Field.Kind.number
    var decimals = 0
    var module: String
    /// Of `S` (notified), `L` (loggable), `R` (readable).
    var can: String
    var components: [String] = []
    /// Key, allowed values in words, default; the common keys of 2.1 left out.
    var keys: [(String, String, JSONValue?)] = []
  }

  private static let rows: [Row] = [
    Row(
      name: "acceleration", fields: ["ax_g", "ay_g", "az_g"], unit: ["g", "g", "g"], decimals: 5,
      module: "accelerometer",
      can: "SL", components: ["x", "y", "z"],
      keys: [
        ("rate_hz", "0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100, 200, 400, 800, 1600", 50),
        ("range_g", "2, 4, 8, 16", 4), ("packed", "auto, on, off", "auto"),
      ]),
    Row(
      name: "temperature-die", fields: ["temperature_c"], unit: ["°C"], decimals: 3, module: "temperature",
      can: "LR"),
    Row(
      name: "temperature-thermistor", fields: ["temperature_c"], unit: ["°C"], decimals: 3,
      module: "temperature",
      can: "LR"),
    Row(
      name: "temperature-external", fields: ["temperature_c"], unit: ["°C"], decimals: 3,
      module: "temperature",
      can: "LR",
      keys: [
        ("data_pin", "a whole number from 0 to 255", nil),
        ("pulldown_pin", "a whole number from 0 to 255", nil), ("active_high", "true or false", false),
      ]),
    Row(
      name: "temperature-bmp280", fields: ["temperature_c"], unit: ["°C"], decimals: 3, module: "temperature",
      can: "LR"),
    Row(name: "switch", fields: ["pressed"], unit: [""], kind: .flag, module: "switch", can: "SLR"),
    Row(
      name: "battery", fields: ["battery_pct", "battery_mv"], unit: ["%", "mV"], kind: .integer,
      module: "settings",
      can: "LR", components: ["pct", "mv"]),
    Row(
      name: "power-status", fields: ["power_present"], unit: [""], kind: .flag, module: "settings", can: "SLR"
    ),
    Row(
      name: "charge-status", fields: ["charge_active"], unit: [""], kind: .flag, module: "settings",
      can: "SLR"),
  ]

  @Test func theseAreAll() { #expect(StreamCatalogue.all.map(\.name) == Self.rows.map(\.name)) }

  @Test(arguments: rows)
  func isAsInTheContract(row: Row) throws {
    let (stream, component) = try #require(StreamCatalogue.find(row.name))
    #expect(component == nil)
    #expect(stream.fields.map(\.name) == row.fields)
    #expect(stream.fields.map(\.unit) == row.unit)
    #expect(stream.fields.allSatisfy { $0.kind == row.kind && $0.decimals == row.decimals })
    #expect(stream.module == row.module)
    #expect(stream.components == row.components)
    #expect(stream.outlet == .stream)
    #expect(stream.isNotified == row.can.contains("S"))
    #expect(stream.isLoggable == row.can.contains("L"))
    #expect(stream.isReadable == row.can.contains("R"))
    #expect(stream.isStreamable)
    #expect(stream.ownParameters.map(\.name) == row.keys.map(\.0))
    for (parameter, key) in zip(stream.ownParameters, row.keys) {
      #expect(parameter.type.words == key.1)
      #expect(parameter.standard == key.2)
    }
  }

  /// MQTT contract 2.1: what is only readable is polled, every 60 s unless said.
  @Test(arguments: rows)
  func commonKeysAreThere(row: Row) throws {
    let stream = try #require(StreamCatalogue.find(row.name)).stream
    let keys = Dictionary(uniqueKeysWithValues: stream.parameters.map { ($0.name, $0) })
    #expect(keys["every"]?.standard == (row.can == "LR" ? "60s" : nil))
    #expect(row.can.contains("R") || keys["every"] == nil)
    #expect(keys["live_rate_hz"] != nil && keys["live_rate_hz"]?.standard == nil)
    #expect(keys["record"]?.standard == true)
  }

  private static let componentsCases: [(String, String, Int)] = [
    ("acceleration-x", "acceleration", 0), ("acceleration-z", "acceleration", 2),
    ("battery-pct", "battery", 0), ("battery-mv", "battery", 1),
  ]

  /// MQTT contract 2.3.
  @Test(
    "a component is a stream of one field",
    arguments: componentsCases)
  func components(name: String, parent: String, index: Int) throws {
    let found = try #require(StreamCatalogue.find(name))
    #expect(found.stream.name == parent)
    #expect(found.component == index)
  }

  @Test(arguments: [
    "", "Acceleration", "acceleration-", "acceleration-w", "acceleration-x-y", "-x", "switch-x", "quaternion",
    "*",
  ])
  func unknownNamesAreNotFound(name: String) { #expect(StreamCatalogue.find(name) == nil) }

  @Test("key = quantity: a field means one unit everywhere")
  func oneUnitPerKey() {
    var units: [String: String] = [:]
    for field in StreamCatalogue.all.flatMap(\.fields) {
      #expect(units[field.name, default: field.unit] == field.unit)
      units[field.name] = field.unit
    }
  }

  @Test("MQTT contract 9: stream names fit a topic level")
  func namesFit() {
    let names = StreamCatalogue.all.flatMap { stream in
      [stream.name] + stream.components.map { "\(stream.name)-\($0)" }
    }
    for name in names {
      #expect(
        name.utf8.count <= 64
          && name.utf8.allSatisfy {
            ParameterType.isName("a" + String(UnicodeScalar($0)), digitsFirst: false, further: "-")
          })
    }
    #expect(Set(names).count == names.count)
  }
}
