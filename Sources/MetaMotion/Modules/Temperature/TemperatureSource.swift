import FleetModel

/// The temperature channels as streams that are read (protocol reference, section 10).
struct TemperatureSource: PolledSource {
  private let temperature: Temperature
  private let pins: Int
  private let hasBarometer: Bool

  init?(on board: Inventory) {
    guard let temperature = board.temperature else { return nil }
    self.temperature = temperature
    pins = board.modules[.gpio]?.extra.count ?? 0
    hasBarometer = board.has(.barometer)
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    guard let source = Temperature.Source(ofStream: stream.name), temperature.channel(of: source) != nil
    else { return nil }
    switch source {
    case .die, .thermistor: return [:]
    // The channel is listed by boards that lack the barometer, too; without it the value never changes.
    case .bmp280: return hasBarometer ? [:] : nil
    case .external:
      guard pins > 0 else { return nil }
      let range: JSONValue = ["min": 0, "max": .integer(Int64(pins - 1)), "step": 1]
      return ["data_pin": range, "pulldown_pin": range]
    }
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    guard let source = Temperature.Source(ofStream: stream.name),
      let channel = temperature.channel(of: source)
    else { return nil }
    var prepare: [[UInt8]] = []
    var setting: SensorRun.ReadBack?
    if source == .external {
      // On unconfigured pins a board answers garbage, and no error (protocol reference, section 10).
      guard let thermistor = Self.thermistor(configuration) else {
        throw .invalid("\(stream.name) needs data_pin and pulldown_pin, the pins of its thermistor")
      }
      let command = Temperature.configure(thermistor, channel: channel)
      prepare.append(command)
      setting = SensorRun.ReadBack(
        register: Temperature.channelMode, selector: [channel], payload: Array(command.dropFirst(3)))
    }
    // The BMP280 repeats its last value unless it samples.
    return SensorQuestion(
      of: Temperature.temperature, prepare: prepare, setting: setting,
      warmUp: source == .bmp280 ? Barometer.warmUp : nil, arguments: [channel], selector: [channel])
  }

  private static func thermistor(_ configuration: JSONObject) -> Temperature.Thermistor? {
    guard let data = configuration["data_pin"]?.integer.flatMap({ UInt8(exactly: $0) }),
      let pulldown = configuration["pulldown_pin"]?.integer.flatMap({ UInt8(exactly: $0) })
    else { return nil }
    return .init(
      dataPin: data, pulldownPin: pulldown, isActiveHigh: configuration["active_high"]?.bool ?? false)
  }
}
