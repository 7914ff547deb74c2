/// `led` and `identify` (MQTT contract 3.2).
enum LEDVerbs {
  private static let channelParameters = [
    Parameter("high", .integer(0...31), "intensity of the pulse"),
    Parameter("low", .integer(0...31), "intensity between pulses"),
    Parameter("rise_ms", .integer(0...65_535), "time to rise"),
    Parameter("high_ms", .integer(0...65_535), "time at the pulse's intensity"),
    Parameter("fall_ms", .integer(0...65_535), "time to fall"),
    Parameter("delay_ms", .integer(0...65_535), "time before the first pulse"),
    Parameter("period_ms", .integer(1...65_535), "time from pulse to pulse, at least rise + high + fall"),
    Parameter("repeat", .integer(0...254), "how many pulses; 0 = for ever"),
  ]

  private static let rgb = ParameterType.object(
    ["r", "g", "b"].map { Parameter($0, .integer(0...255), required: true, "part of the colour") })

  private static let color = Parameter(
    "color", .either([.choice(LEDColor.named.map(\.name)), rgb]),
    "a name, or red, green and blue; needed unless channels or state are given")

  static let led = VerbDefinition(
    "led", .board, "Sets the LED, or switches it off.",
    [
      color,
      Parameter(
        "pattern", .choice(LEDPattern.allCases.map(\.rawValue)), "preset of the pulse; solid if left out"),
    ] + channelParameters + [
      Parameter("brightness", .integer(0...255), standard: 255, "scales every channel"),
      Parameter(
        "channels",
        .object(
          LEDChannel.allCases.map { Parameter($0.rawValue, .object(channelParameters), "one emitter") }),
        "each emitter's pulse; instead of color"),
      Parameter(
        "state", .choice(["ON", "OFF", "PAUSE", "PLAY", "AUTOPLAY"]),
        "OFF stops and clears; PAUSE, PLAY and AUTOPLAY act on what is programmed"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      switch arguments["state"]?.string {
      case "OFF": return .device(.led(.off))
      case "PAUSE": return .device(.led(.pause))
      case "PLAY": return .device(.led(.play))
      case "AUTOPLAY": return .device(.led(.autoplay))
      default: return .device(.led(try show(arguments)))
      }
    }
  )
  .answering(
    [Parameter("playing", .boolean, required: true, "whether it plays")], by: [.readback, .linkWrite],
    failing: [.unsupported], example: ["color": "green", "pattern": "blink", "repeat": 5])

  private static func show(_ arguments: JSONObject) throws(CommandFailure) -> LEDCommand {
    let brightness = UInt8(clamping: arguments["brightness"]?.integer ?? 255)
    let pattern = arguments["pattern"]?.string.flatMap(LEDPattern.init) ?? .solid
    if let channels = arguments["channels"]?.object {
      guard arguments["color"] == nil else { throw .invalid("led takes color or channels, not both") }
      let preset = shape(pattern.pulse, with: arguments)
      return try .show(custom(channels, over: preset, brightness: brightness))
    }
    let named = arguments["color"].map { try? colour($0) } ?? (arguments["state"] == "ON" ? .white : nil)
    guard let color = named else { throw .invalid("led needs color, channels or state") }
    let pulse = try checked(shape(pattern.pulse, with: arguments))
    let effect = pulse == pattern.pulse || onlyRepeats(pulse, pattern.pulse) ? pattern.rawValue : "custom"
    return .show(LEDShow(color: color, brightness: brightness, pulse: pulse, effect: effect))
  }

  private static func onlyRepeats(_ pulse: LEDPulse, _ preset: LEDPulse) -> Bool {
    var same = pulse
    same.repetitions = preset.repetitions
    return same == preset
  }

  /// Each channel's own keys over what stands beside `channels`, over the pattern.
  private static func custom(
    _ channels: JSONObject, over preset: LEDPulse, brightness: UInt8
  ) throws(CommandFailure) -> LEDShow {
    guard !channels.isEmpty else { throw .invalid("channels needs at least one of green, red, blue") }
    var pulses: [LEDChannel: LEDPulse] = [:]
    for channel in LEDChannel.allCases {
      guard let wanted = channels[channel.rawValue]?.object else { continue }
      pulses[channel] = try checked(shape(preset, with: wanted))
    }
    // For consumers that know colours only: the brightest emitter is full.
    let brightest = pulses.values.map(\.high).max() ?? 0
    func part(_ channel: LEDChannel) -> UInt8 {
      UInt8((Double(pulses[channel]?.high ?? 0) * 255 / Double(max(1, brightest))).rounded())
    }
    let appearance = LEDAppearance(
      color: LEDColor(red: part(.red), green: part(.green), blue: part(.blue)),
      brightness: UInt8((Double(brightest) * Double(brightness) / 31).rounded()), effect: "custom")
    return LEDShow(
      channels: pulses.compactMapValues { $0.scaled(by: Double(brightness) / 255) }, appearance: appearance)
  }

  private static func shape(_ preset: LEDPulse, with keys: JSONObject) -> LEDPulse {
    var pulse = preset
    func time(_ key: String, _ value: inout UInt16) {
      if let given = keys[key]?.integer { value = UInt16(clamping: given) }
    }
    if let high = keys["high"]?.integer { pulse.high = UInt8(clamping: high) }
    if let low = keys["low"]?.integer { pulse.low = UInt8(clamping: low) }
    time("rise_ms", &pulse.riseTime)
    time("high_ms", &pulse.highTime)
    time("fall_ms", &pulse.fallTime)
    time("delay_ms", &pulse.delay)
    time("period_ms", &pulse.period)
    if let count = keys["repeat"]?.integer { pulse.repetitions = UInt8(clamping: count) }
    return pulse
  }

  private static func checked(_ pulse: LEDPulse) throws(CommandFailure) -> LEDPulse {
    let shortest = Int(pulse.riseTime) + Int(pulse.highTime) + Int(pulse.fallTime)
    guard Int(pulse.period) >= shortest else {
      throw .invalid("period_ms \(pulse.period) is shorter than rise + high + fall = \(shortest) ms")
    }
    return pulse
  }

  private static func colour(_ value: JSONValue) throws(CommandFailure) -> LEDColor {
    if let name = value.string, let named = LEDColor.named.first(where: { $0.name == name }) {
      return named.color
    }
    guard let parts = value.object, let red = parts["r"]?.integer, let green = parts["g"]?.integer,
      let blue = parts["b"]?.integer
    else { throw .invalid("color must be a name or {\"r\",\"g\",\"b\"}") }
    return LEDColor(red: UInt8(clamping: red), green: UInt8(clamping: green), blue: UInt8(clamping: blue))
  }

  /// The keys of Home Assistant's JSON light command.
  static let lightParameters = [
    Parameter("state", .choice(["ON", "OFF"]), required: true, "on or off"),
    Parameter("color", rgb, "red, green, blue; the last one if left out"),
    Parameter("brightness", .integer(0...255), "the last one if left out"),
    Parameter("effect", .choice(LEDPattern.allCases.map(\.rawValue)), "the last one if left out"),
    Parameter("flash", .choice(["short", "long"]), "3 or 10 flashes"),
    Parameter("transition", .number(0...6553), "accepted, no effect"),
    Parameter("color_mode", .text(0...32), "accepted, no effect"),
  ]

  static func light(_ command: JSONObject) throws(CommandFailure) -> Intent {
    let keys = try ArgumentValidation.validate(command, against: lightParameters, of: "led").values
    guard keys["state"]?.string == "ON" else { return .device(.led(.off)) }
    var color: LEDColor?
    if let given = keys["color"] { color = try colour(given) }
    let flashes: UInt8? = keys["flash"]?.string.map { $0 == "short" ? 3 : 10 }
    return .device(
      .led(
        .light(
          LEDLight(
            color: color, brightness: keys["brightness"]?.integer.map { UInt8(clamping: $0) },
            effect: keys["effect"]?.string.flatMap(LEDPattern.init), flashes: flashes))))
  }

  static let identify = VerbDefinition(
    "identify", .board, "Flashes white and buzzes once, then restores the LED.",
    [Parameter("for_s", .integer(1...30), standard: 5, "seconds to flash")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.identify(seconds: Int(arguments["for_s"]?.integer ?? 5)))
    }
  )
  .answering(
    [Parameter("seconds", .count, required: true, "how long it flashes")], by: [.readback, .linkWrite],
    failing: [.unsupported], example: [:])
}

extension VerbDefinition {
  /// The keys of Home Assistant's JSON light command.
  public static let lightParameters = LEDVerbs.lightParameters

  /// Home Assistant's light command is recognised by a top-level `state`; its keys stand beside those of a request.
  public static let lightKeys = LEDVerbs.lightParameters.map(\.name)

  /// What Home Assistant's light command means.
  public static func interpretLight(_ command: JSONObject) throws(CommandFailure) -> Intent {
    try LEDVerbs.light(command)
  }
}
