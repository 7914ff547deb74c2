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
    /// Whether the sensor says behind its values how good they are.
    var hasAccuracy = false
  }

  private static let packed: (String, String, JSONValue?) = ("packed", "auto, on, off", "auto")

  private static func vector(
    _ name: String, _ fields: [String], _ unit: String, decimals: Int, module: String,
    _ keys: [(String, String, JSONValue?)]
  ) -> Row {
    Row(
      name: name, fields: fields, unit: [unit, unit, unit], decimals: decimals, module: module, can: "SL",
      components: ["x", "y", "z"], keys: keys)
  }

  private static let fusionKeys: [(String, String, JSONValue?)] = [
    ("mode", "ndof, imuplus, compass, m4g", "ndof"), ("range_g", "2, 4, 8, 16", 16),
    ("range_dps", "250, 500, 1000, 2000", 2000),
  ]

  private static func fused(
    _ name: String, _ fields: [String], _ unit: String, decimals: Int,
    components: [String] = ["x", "y", "z"],
    hasAccuracy: Bool = false
  ) -> Row {
    Row(
      name: name, fields: fields, unit: fields.map { _ in unit }, decimals: decimals, module: "sensor-fusion",
      can: "SL", components: components, keys: fusionKeys, hasAccuracy: hasAccuracy)
  }

  private static let barometerKeys: [(String, String, JSONValue?)] = [
    ("oversampling", "ultra-low-power, low-power, standard, high, ultra-high", "standard"),
    ("filter", "0, 2, 4, 8, 16", 0),
    ("standby_ms", "0.5, 10, 20, 62.5, 125, 250, 500, 1000, 2000, 4000", 0.5),
  ]

  private static let rows: [Row] = [
    Row(
      name: "acceleration", fields: ["ax_g", "ay_g", "az_g"], unit: ["g", "g", "g"], decimals: 5,
      module: "accelerometer",
      can: "SL", components: ["x", "y", "z"],
      keys: [
        ("rate_hz", "0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100, 200, 400, 800, 1600", 50),
        ("range_g", "2, 4, 8, 16", 4), ("packed", "auto, on, off", "auto"),
      ]),
    vector(
      "angular-velocity", ["gx_dps", "gy_dps", "gz_dps"], "°/s", decimals: 4, module: "gyroscope",
      [
        ("rate_hz", "25, 50, 100, 200, 400, 800, 1600, 3200", 50),
        ("range_dps", "125, 250, 500, 1000, 2000", 2000), packed,
      ]),
    vector(
      "magnetic-field", ["mx_ut", "my_ut", "mz_ut"], "µT", decimals: 4, module: "magnetometer",
      [
        ("preset", "low-power, regular, enhanced-regular, high-accuracy", nil),
        ("rate_hz", "2, 6, 8, 10, 15, 20, 25, 30", nil), ("xy_reps", "a whole number from 1 to 511", nil),
        ("z_reps", "a whole number from 1 to 256", nil), packed,
      ]),
    fused("quaternion", ["qw", "qx", "qy", "qz"], "", decimals: 6, components: ["w", "x", "y", "z"]),
    fused(
      "euler", ["heading_deg", "pitch_deg", "roll_deg", "yaw_deg"], "°", decimals: 4,
      components: ["heading", "pitch", "roll", "yaw"]),
    fused("gravity", ["gravx_g", "gravy_g", "gravz_g"], "g", decimals: 5),
    fused("linear-acceleration", ["linx_g", "liny_g", "linz_g"], "g", decimals: 5),
    fused("corrected-acceleration", ["cax_g", "cay_g", "caz_g"], "g", decimals: 5, hasAccuracy: true),
    fused(
      "corrected-angular-velocity", ["cgx_dps", "cgy_dps", "cgz_dps"], "°/s", decimals: 4, hasAccuracy: true),
    fused("corrected-magnetic-field", ["cmx_ut", "cmy_ut", "cmz_ut"], "µT", decimals: 4, hasAccuracy: true),
    Row(
      name: "pressure", fields: ["pressure_pa"], unit: ["Pa"], decimals: 3, module: "barometer", can: "SLR",
      keys: barometerKeys),
    Row(
      name: "altitude", fields: ["altitude_m"], unit: ["m"], decimals: 3, module: "barometer", can: "SL",
      keys: barometerKeys),
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
    Row(
      name: "humidity", fields: ["humidity_pct"], unit: ["%"], decimals: 3, module: "humidity", can: "LR",
      keys: [("oversampling_x", "1, 2, 4, 8, 16", 1)]),
    Row(
      name: "illuminance", fields: ["illuminance_lx"], unit: ["lx"], decimals: 3, module: "ambient-light",
      can: "SL",
      keys: [
        ("gain", "1, 2, 4, 8, 48, 96", 1), ("integration_ms", "50, 100, 150, 200, 250, 300, 350, 400", 100),
        ("period_ms", "50, 100, 200, 500, 1000, 2000", 500),
      ]),
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
    Row(
      name: "steps", fields: ["steps"], unit: [""], kind: .integer, module: "accelerometer", can: "SLR",
      keys: [
        ("sensitivity", "normal, sensitive, robust", nil),
        ("watermark_steps", "a whole number from 20 to 20460", nil),
      ]),
    Row(name: "log-length", fields: ["log_entries"], unit: [""], kind: .integer, module: "logging", can: "R"),
    Row(
      name: "log-time", fields: ["log_tick", "reset_uid"], unit: ["", ""], kind: .integer, module: "logging",
      can: "R"),
    Row(
      name: "fusion-calibration",
      fields: ["acceleration_accuracy", "gyroscope_accuracy", "magnetometer_accuracy"], unit: ["", "", ""],
      kind: .integer, module: "sensor-fusion", can: "R"),
  ]

  /// Of MQTT contract 2.4: name and keys.
  private static let detectors: [(String, [String])] = [
    ("any-motion", ["threshold_g", "count", "duration_ms", "axes"]),
    ("slow-motion", ["threshold_g", "count"]),
    ("no-motion", ["threshold_g", "duration_ms", "axes"]),
    ("significant-motion", ["threshold_g", "skip_ms", "proof_ms", "block_ms"]),
    ("low-g", ["threshold_g", "duration_ms", "hysteresis_g", "mode"]),
    ("high-g", ["threshold_g", "duration_ms", "hysteresis_g", "axes"]),
    ("tap", ["kinds", "threshold_g", "shock_ms", "quiet_ms", "window_ms"]),
    ("orientation", ["mode", "hysteresis_g", "theta", "blocking", "upside_down"]),
    ("flat", ["theta_deg", "hold_ms", "hysteresis"]), ("step", ["sensitivity"]), ("activity", []),
    ("wrist-gesture", ["arm", "peak", "samples", "max_samples"]), ("wrist-wakeup", ["angles"]),
    ("magnetic-alarm", ["low_ut", "high_ut", "axes"]),
  ]

  @Test func `these are all`() {
    #expect(StreamCatalogue.all.map(\.name) == Self.rows.map(\.name) + Self.detectors.map(\.0))
  }

  @Test(arguments: detectors)
  func `detectors are events`(name: String, keys: [String]) throws {
    let detector = try #require(StreamCatalogue.find(name)).stream
    #expect(detector.outlet == .event)
    #expect(detector.isNotified && detector.isLoggable && !detector.isReadable)
    #expect(detector.fields.isEmpty)
    // Neither lane takes an event.
    #expect(detector.parameters.map(\.name) == keys)
    #expect(throws: Never.self) { try detector.configure([:]) }
  }

  @Test(
    arguments: [
      ("gpio-0-adc", "adc_counts", "LR", ["pull_up_pin", "pull_down_pin", "delay_us", "virtual_pin"]),
      ("gpio-7-voltage", "voltage_mv", "LR", ["pull_up_pin", "pull_down_pin", "delay_us", "virtual_pin"]),
      ("gpio-15-digital", "level", "LR", ["pull"]), ("gpio-3-change", "level", "SL", ["edge", "pull"]),
    ])
  func `pins have streams of their own`(name: String, field: String, can: String, keys: [String]) throws {
    let pin = try #require(StreamCatalogue.find(name)).stream
    #expect(pin.name == name)
    #expect(pin.fields.map(\.name) == [field])
    #expect(pin.isNotified == can.contains("S") && pin.isReadable == can.contains("R") && pin.isLoggable)
    #expect(pin.ownParameters.map(\.name) == keys)
  }

  @Test(arguments: rows)
  func `is as in the contract`(row: Row) throws {
    let (stream, component) = try #require(StreamCatalogue.find(row.name))
    #expect(component == nil)
    let values = stream.fields.prefix(row.fields.count)
    #expect(values.map(\.name) == row.fields)
    #expect(values.map(\.unit) == row.unit)
    #expect(values.allSatisfy { $0.kind == row.kind && $0.decimals == row.decimals })
    let accuracy = StreamDefinition.Field("accuracy", "", .integer, possible: 0...3)
    #expect(stream.fields.dropFirst(row.fields.count) == (row.hasAccuracy ? [accuracy] : []))
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
  func `common keys are there`(row: Row) throws {
    let stream = try #require(StreamCatalogue.find(row.name)).stream
    let keys = Dictionary(uniqueKeysWithValues: stream.parameters.map { ($0.name, $0) })
    #expect(keys["every"]?.standard == (row.can == "LR" || row.can == "R" ? "60s" : nil))
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
    arguments: componentsCases)
  func `a component is a stream of one field`(name: String, parent: String, index: Int) throws {
    let found = try #require(StreamCatalogue.find(name))
    #expect(found.stream.name == parent)
    #expect(found.component == index)
  }

  @Test(arguments: [
    "", "Acceleration", "acceleration-", "acceleration-w", "acceleration-x-y", "-x", "switch-x", "gpio-3",
    "gpio-03-adc", "gpio-16-adc",
    "gpio-3-level",
    "*",
  ])
  func `unknown names are not found`(name: String) { #expect(StreamCatalogue.find(name) == nil) }

  @Test func `key = quantity: a field means one unit everywhere`() {
    var units: [String: String] = [:]
    for field in StreamCatalogue.all.flatMap(\.fields) {
      #expect(units[field.name, default: field.unit] == field.unit)
      units[field.name] = field.unit
    }
  }

  @Test func `MQTT contract 9: stream names fit a topic level`() {
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
