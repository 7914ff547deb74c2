/// `read` (MQTT contract 3.3).
enum ReadVerb {
  /// What can be read, with the selectors of each.
  static let targets: [(what: String, selectors: [Parameter])] = [
    ("battery", []),
    (
      "temperature",
      [
        Parameter(
          "source", .choice(["die", "thermistor", "external", "bmp280"]), "which sensor; die if left out"),
        Parameter("channel", .integer(0...7), "which channel, instead of source"),
      ]
    ),
    ("humidity", []), ("pressure", []), ("steps", []),
    (
      "gpio",
      [
        Parameter("pin", .integer(0...15), required: true, "which pin"),
        Parameter(
          "kind", .choice(["digital", "adc", "voltage"]), standard: "digital", "what to read of it"),
      ] + PinStreams.analog
    ),
    (
      "sensor-config",
      [
        Parameter(
          "module",
          .choice([
            "accelerometer", "gyroscope", "magnetometer", "barometer", "ambient-light", "sensor-fusion",
          ]),
          required: true, "which sensor")
      ]
    ),
    (
      "fusion-calibration",
      [Parameter("blocks", .boolean, standard: false, "whether to read the calibration data, too")]
    ),
    ("switch", []), ("power-status", []), ("charge-status", []), ("mac", []), ("device", []),
    ("module-info", [Parameter("module", .text(1...32), "which module; all if left out")]),
    ("log-length", []), ("log-time", []), ("led", []), ("reset-cause", []), ("rssi", []),
    ("settings", []), ("resources", []), ("flash-health", []), ("stack", []), ("queue-usage", []),
    ("debug-key", []),
    (
      "processor",
      [
        Parameter("name", .boardName, "which chain; its last step"),
        Parameter("processor", .integer(0...255), "which slot, instead of name"),
      ]
    ),
  ]

  static let read = VerbDefinition(
    "read", .board, "Reads one value now and answers it.",
    [
      Parameter("what", .choice(targets.map(\.what)), required: true, "what to read")
    ], furtherKeys: "the selectors of what is read"
  ) { (arguments: JSONObject) throws(CommandFailure) in
    let what = try ArgumentValidation.validate(
      JSONObject(arguments.members.filter { $0.key == "what" }.map { ($0.key, $0.value) }),
      against: [Parameter("what", .choice(targets.map(\.what)), required: true, "what to read")], of: "read"
    ).values["what"]?.string
    guard let target = targets.first(where: { $0.what == what }) else { throw .invalid("read needs what") }
    var rest = arguments
    rest["what"] = nil
    let selectors = try ArgumentValidation.validate(
      rest, against: target.selectors, of: "read of \(target.what)"
    ).values
    guard selectors["source"] == nil || selectors["channel"] == nil else {
      throw .invalid("read of temperature takes source or channel, not both")
    }
    guard target.what != "processor" || (selectors["name"] == nil) != (selectors["processor"] == nil) else {
      throw .invalid("read of processor takes name or processor")
    }
    if target.what == "gpio", selectors["kind"] == "digital",
      let key = ["pull_up_pin", "pull_down_pin", "virtual_pin"].first(where: { selectors[$0] != nil })
    {
      throw .invalid("\(key) is for the analog kinds of gpio")
    }
    return .read(ReadRequest(what: target.what, selectors: selectors))
  }
}
