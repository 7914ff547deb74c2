/// `read` (MQTT contract 3.3).
enum ReadVerb {
  /// What can be read, with the selectors of each and what is answered: what stands here first, then every other stream
  /// that can be read.
  static let targets: [VerbVariants.Branch] = {
    let named = Set(others.map(\.word))
    // Temperatures share a word.
    let readable = StreamCatalogue.all.filter { $0.isReadable && $0.module != "temperature" }
    return others + readable.map(\.name).filter { !named.contains($0) }.map(stream)
  }()

  /// A stream that is read under its own name.
  private static func stream(_ name: String) -> VerbVariants.Branch {
    let fields = StreamCatalogue.find(name)?.stream.fields ?? []
    return .init(name, answers: fields.map(\.name).joined(separator: ", "))
  }

  private static let others: [VerbVariants.Branch] = [
    stream("battery"),
    .init(
      "temperature",
      [
        Parameter(
          "source", .choice(["die", "thermistor", "external", "bmp280"]), "which sensor; die if left out"),
        Parameter("channel", .integer(0...7), "which channel, instead of source"),
        Parameter("data_pin", .integer(0...255), "GPIO pin that reads the thermistor; external needs it"),
        Parameter(
          "pulldown_pin", .integer(0...255), "GPIO pin of the pull-down resistor; external needs it"),
        Parameter("active_high", .boolean, "whether the pull-down pin is active high; false if left out"),
      ], answers: "temperature_c, source, channel"),
    stream("humidity"), stream("pressure"), stream("steps"),
    .init(
      "gpio",
      [
        Parameter("pin", .integer(0...15), required: true, "which pin"),
        Parameter(
          "kind", .choice(["digital", "adc", "voltage"]), standard: "digital", "what to read of it"),
      ] + PinStreams.analog, answers: "level, adc_counts or voltage_mv; pin"),
    .init(
      "sensor-config",
      [
        Parameter(
          "module",
          .choice(configured),
          required: true, "which sensor")
      ], answers: "the effective configuration, hex"),
    .init(
      "fusion-calibration",
      [Parameter("blocks", .boolean, standard: false, "whether to read the calibration data, too")],
      answers: "acceleration, gyroscope, magnetometer; with blocks also acceleration_block …"),
    stream("switch"), stream("power-status"), stream("charge-status"),
    .init("mac", answers: "address, address_type"),
    .init("device", answers: "model_id, serial, hw, fw, manufacturer"),
    .init(
      "module-info", [Parameter("module", .choice(modules), "which module; all if left out")],
      answers: "modules, as in info"),
    .init("log-length", answers: "entries"), .init("log-time", answers: "tick, reset_uid, boot_ms"),
    .init("led", answers: "channels, playing"), .init("reset-cause", answers: "cause, hex"),
    .init("rssi", answers: "rssi_dbm, age_ms"),
    .init("settings", answers: "the arguments of settings with their present values"),
    .init(
      "resources",
      answers: "loggers, processors, events, timers, macros: slot, signal, owner, name, hex of each"),
    .init(
      "flash-health", answers: "pages_clean, pages_1_3, pages_4_6, pages_7_8, pages_lost, pages_unreadable"),
    .init("stack", answers: "free_bytes, assertion"), .init("queue-usage", answers: "hex"),
    .init("debug-key", answers: "hex"),
    .init(
      "processor",
      [
        Parameter("name", .boardName, "which chain; its last step"),
        Parameter("processor", .integer(0...255), "which slot, instead of name"),
      ], answers: "state or the fields of its output, hex"),
  ]

  /// As `info` names them (MQTT contract 1.1).
  private static let modules = adding(
    StreamCatalogue.all,
    to: [
      "switch", "led", "accelerometer", "temperature", "gpio", "ibeacon", "haptic", "processor", "event",
      "logging", "timer", "serial", "macro", "settings", "barometer", "gyroscope", "ambient-light",
      "magnetometer", "humidity", "sensor-fusion", "debug",
    ])

  /// Modules with sensors that run by themselves and can be set.
  private static let configured = adding(
    StreamCatalogue.all.filter { $0.outlet == .stream && $0.isNotified && !$0.ownParameters.isEmpty },
    to: ["accelerometer", "gyroscope", "magnetometer", "barometer", "ambient-light", "sensor-fusion"])

  /// The names of modules with those of further streams' modules behind them.
  private static func adding(_ streams: [StreamDefinition], to names: [String]) -> [String] {
    streams.reduce(into: names) { if !$0.contains($1.module) { $0.append($1.module) } }
  }

  private static let what = Parameter("what", .choice(targets.map(\.word)), required: true, "what to read")

  static let read = VerbDefinition(
    "read", .board, "Reads one value now and answers it.",
    [what], furtherKeys: "the selectors of what is read", fork: VerbVariants(key: "what", branches: targets)
  ) { (arguments: JSONObject) throws(CommandFailure) in
    let what = try ArgumentValidation.validate(
      JSONObject(arguments.members.filter { $0.key == "what" }.map { ($0.key, $0.value) }),
      against: [what], of: "read"
    ).values["what"]?.string
    guard let target = targets.first(where: { $0.word == what }) else { throw .invalid("read needs what") }
    var rest = arguments
    rest["what"] = nil
    let selectors = try ArgumentValidation.validate(
      rest, against: target.parameters, of: "read of \(target.word)"
    ).values
    guard selectors["source"] == nil || selectors["channel"] == nil else {
      throw .invalid("read of temperature takes source or channel, not both")
    }
    guard target.word != "processor" || (selectors["name"] == nil) != (selectors["processor"] == nil) else {
      throw .invalid("read of processor takes name or processor")
    }
    if target.word == "gpio", selectors["kind"] == "digital",
      let key = ["pull_up_pin", "pull_down_pin", "virtual_pin"].first(where: { selectors[$0] != nil })
    {
      throw .invalid("\(key) is for the analog kinds of gpio")
    }
    return .device(.read(ReadRequest(what: target.word, selectors: selectors)))
  }
  .answering(
    furtherResults:
      "what was asked for, see the table; impossible names what was left out, because no sensor can measure it",
    by: [.response],
    failing: [.unsupported, .boardError], example: ["what": "temperature", "source": "die"])
}
