import FleetModel
import Testing

/// MQTT contract 3.2.
@Suite struct LEDVerbsTests {
  private func show(_ arguments: JSONObject) throws -> LEDShow {
    guard case .board(.link(.device(.led(.show(let show))))) = try intent("led", arguments) else {
      throw CommandFailure.invalid("not a show")
    }
    return show
  }

  private func light(_ command: JSONObject) throws -> LEDCommand {
    guard case .board(.link(.device(.led(let command)))) = try VerbDefinition.interpretLight(command) else {
      throw CommandFailure.invalid("not the LED")
    }
    return command
  }

  private static let presetsCases: [(String, LEDPulse)] = [
    ("solid", LEDPulse(high: 31, low: 31, riseTime: 0, highTime: 500, fallTime: 0, period: 1000)),
    ("blink", LEDPulse(high: 31, low: 0, riseTime: 0, highTime: 50, fallTime: 0, period: 500)),
    ("breathe", LEDPulse(high: 31, low: 0, riseTime: 725, highTime: 500, fallTime: 725, period: 2000)),
    (
      "flash",
      LEDPulse(high: 31, low: 0, riseTime: 0, highTime: 100, fallTime: 0, period: 500, repetitions: 3)
    ),
  ]

  @Test(
    arguments: presetsCases)
  func `presets`(pattern: String, pulse: LEDPulse) throws {
    let show = try show(["color": "green", "pattern": .string(pattern)])
    #expect(show.channels == [.green: pulse])
    #expect(
      show.appearance
        == LEDAppearance(color: LEDColor(red: 0, green: 255, blue: 0), brightness: 255, effect: pattern))
  }

  @Test func `solid is the default`() throws {
    #expect(try show(["color": "red"]) == show(["color": "red", "pattern": "solid", "brightness": 255]))
  }

  private static let coloursCases: [(String, [LEDChannel])] = [
    ("green", [LEDChannel.green]), ("red", [.red]), ("blue", [.blue]), ("yellow", [.green, .red]),
    ("cyan", [.green, .blue]), ("magenta", [.red, .blue]), ("white", [.green, .red, .blue]),
  ]

  @Test(
    arguments: coloursCases)
  func `named colours light these channels`(name: String, channels: [LEDChannel]) throws {
    let show = try show(["color": .string(name)])
    #expect(Set(show.channels.keys) == Set(channels))
    #expect(show.channels.values.allSatisfy { $0.high == 31 })
  }

  private static let scalingCases: [(Int64, Int64, UInt8)] = [
    (255, 255, 31), (128, 255, 16), (128, 128, 8), (255, 128, 16), (255, 1, 0), (1, 255, 0), (4, 255, 0),
    (5, 255, 1),
  ]

  @Test(
    arguments: scalingCases)
  func `channel intensity = round(preset × channel/255 × brightness/255)`(
    channel: Int64, brightness: Int64, intensity: UInt8
  ) throws {
    let color: JSONValue = ["r": .integer(channel), "g": 0, "b": 0]
    let show = try show(["color": color, "pattern": "breathe", "brightness": .integer(brightness)])
    #expect(show.channels[.red]?.high ?? 0 == intensity)
    #expect(show.channels[.red]?.low ?? 0 == 0)
    #expect(show.channels[.green] == nil && show.channels[.blue] == nil)
    #expect((show.channels[.red] == nil) == (intensity == 0))
  }

  @Test func `both intensities are scaled`() throws {
    let show = try show(["color": "blue", "high": 30, "low": 10, "brightness": 51])
    #expect(show.channels[.blue]?.high == 6)
    #expect(show.channels[.blue]?.low == 2)
    #expect(show.appearance.effect == "custom")
  }

  @Test func `any pulse key overrides its preset`() throws {
    let show = try show([
      "color": "green", "pattern": "breathe", "rise_ms": 100, "high_ms": 200, "fall_ms": 300,
      "period_ms": 600, "delay_ms": 50, "repeat": 5, "high": 20, "low": 1,
    ])
    #expect(
      show.channels[.green]
        == LEDPulse(
          high: 20, low: 1, riseTime: 100, highTime: 200, fallTime: 300, period: 600, delay: 50,
          repetitions: 5))
  }

  @Test func `repeating does not make a pattern custom`() throws {
    let show = try show(["color": "green", "pattern": "blink", "repeat": 5])
    #expect(show.appearance.effect == "blink")
    #expect(show.channels[.green]?.repetitions == 5)
    #expect(show.duration == .milliseconds(2_500))
  }

  private static let periodHoldsThePulseCases: [(JSONObject, Bool)] = [
    (["period_ms": 499], false), (["period_ms": 500], true), (["high_ms": 1_001], false),
    (["rise_ms": 300, "fall_ms": 200], true), (["rise_ms": 300, "fall_ms": 201], false),
    (["rise_ms": 65_535, "high_ms": 65_535, "fall_ms": 65_535, "period_ms": 65_535], false),
  ]

  @Test(
    arguments: periodHoldsThePulseCases)
  func `period ≥ rise + high + fall`(keys: JSONObject, isTaken: Bool) throws {
    let failure = try refusal("led", keys.merging(["color": "green"]))
    #expect((failure == nil) == isTaken)
    #expect(isTaken || failure?.message.contains("rise + high + fall") == true)
    let channel = try refusal("led", ["channels": ["green": .object(keys)]])
    #expect((channel == nil) == isTaken)
  }

  @Test func `channels as in the contract's example`() throws {
    let show = try show([
      "channels": ["blue": ["high": 16, "low": 16, "high_ms": 500, "period_ms": 1000, "repeat": 5]]
    ])
    #expect(
      show.channels == [
        .blue: LEDPulse(
          high: 16, low: 16, riseTime: 0, highTime: 500, fallTime: 0, period: 1000, repetitions: 5)
      ])
    #expect(show.appearance.color == LEDColor(red: 0, green: 0, blue: 255))
    #expect(show.appearance.brightness == 132)
    #expect(show.appearance.effect == "custom")
  }

  @Test func `channels start from the pattern and what stands beside them; no key is without effect`() throws
  {
    let show = try show([
      "pattern": "breathe", "repeat": 2, "brightness": 128,
      "channels": ["green": [:], "red": ["high": 10, "repeat": 4], "blue": ["high": 0, "low": 0]],
    ])
    #expect(
      show.channels == [
        .green: LEDPulse(
          high: 16, low: 0, riseTime: 725, highTime: 500, fallTime: 725, period: 2000, repetitions: 2),
        .red: LEDPulse(
          high: 5, low: 0, riseTime: 725, highTime: 500, fallTime: 725, period: 2000, repetitions: 4),
      ])
    #expect(show.appearance.color == LEDColor(red: 82, green: 255, blue: 0))
    #expect(show.appearance.brightness == 128)
  }

  private static let statesCases: [(String, LEDCommand)] = [
    ("OFF", LEDCommand.off), ("PAUSE", .pause), ("PLAY", .play), ("AUTOPLAY", .autoplay),
  ]

  @Test(
    arguments: statesCases)
  func `states`(state: String, command: LEDCommand) throws {
    #expect(try intent("led", ["state": .string(state)]) == .device(.led(command)))
  }

  @Test func `on alone is white`() throws {
    #expect(try show(["state": "ON"]) == show(["color": "white"]))
  }

  private static let refusedCases: [JSONObject] = [
    [:], ["pattern": "blink"], ["color": "purple"], ["color": "GREEN"], ["color": ["r": 1, "g": 2]],
    ["color": ["r": 1, "g": 2, "b": 256]], ["color": ["r": 1, "g": 2, "b": 3, "w": 4]], ["color": 5],
    ["color": "green", "pattern": "strobe"], ["color": "green", "high": 32],
    ["color": "green", "period_ms": 0], ["color": "green", "repeat": 255],
    ["color": "green", "brightness": 256], ["color": "green", "brightness": -1],
    ["color": "green", "rise_ms": 65_536], ["color": "green", "repeat": "5"], ["colour": "green"],
    ["state": "on"], ["channels": [:]], ["channels": ["white": [:]]], ["channels": ["red": ["color": 1]]],
    ["channels": ["red": 5]], ["channels": ["red": [:]], "color": "red"],
    ["color": "green", "flash": "short"],
  ]

  @Test(
    arguments: refusedCases)
  func `refused`(arguments: JSONObject) throws { #expect(try refusal("led", arguments)?.code == .invalid) }

  // Home Assistant's light form.

  @Test func `light as in the contracts example`() throws {
    let command = try light([
      "state": "ON", "color": ["r": 255, "g": 0, "b": 0], "brightness": 128, "effect": "breathe",
    ])
    #expect(
      command
        == .light(
          LEDLight(
            color: LEDColor(red: 255, green: 0, blue: 0), brightness: 128, effect: .breathe, flashes: nil)))
  }

  @Test func `light takes what home assistant sends without effect`() throws {
    #expect(
      try light(["state": "ON", "transition": 2.5, "color_mode": "rgb"])
        == .light(LEDLight(color: nil, brightness: nil, effect: nil, flashes: nil)))
    #expect(try light(["state": "OFF", "transition": 1]) == .off)
  }

  private static let flashingCases: [(String, UInt8)] = [("short", UInt8(3)), ("long", 10)]

  @Test(arguments: flashingCases)
  func `flashing`(flash: String, times: UInt8) throws {
    guard case .light(let light) = try light(["state": "ON", "flash": .string(flash)]) else {
      Issue.record("not a light")
      return
    }
    let show = light.show(after: nil)
    #expect(light.flashes == times)
    #expect(
      show.channels.values.allSatisfy { $0.repetitions == times && $0.highTime == 100 && $0.period == 500 })
    #expect(show.duration == .milliseconds(500) * Int(times))
  }

  private static let refusedLightsCases: [JSONObject] = [
    [:], ["state": "PAUSE"], ["state": true], ["state": "ON", "color": "red"],
    ["state": "ON", "effect": "rainbow"], ["state": "ON", "brightness": 300],
    ["state": "ON", "flash": "often"], ["state": "ON", "pattern": "blink"],
  ]

  @Test(
    arguments: refusedLightsCases)
  func `refused light forms`(command: JSONObject) {
    #expect(throws: CommandFailure.self) { try VerbDefinition.interpretLight(command) }
  }

  // Identify.

  @Test func `identify takes one to thirty seconds`() throws {
    #expect(try intent("identify", [:]) == .device(.identify(seconds: 5)))
    #expect(try intent("identify", ["for_s": 30]) == .device(.identify(seconds: 30)))
    for wrong: JSONValue in [0, 31, 1.5, "5", true] {
      #expect(try refusal("identify", ["for_s": wrong])?.code == .invalid)
    }
  }
}
