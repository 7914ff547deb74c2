import FleetModel
import Testing

/// MQTT contract 3.6.
@Suite struct ActionParsingTests {
  private static let understood: [(action: JSONValue, wanted: BoardAction.Command)] = [
    (["verb": "led", "args": ["state": "PLAY"]], .led(.play)),
    (["verb": "haptic"], .haptic(HapticCommand(.motor(percent: 100), milliseconds: 500))),
    (["verb": "gpio", "args": ["pin": 1, "output": "high"]], .pin(PinCommand(pin: 1, isHigh: true))),
    (["verb": "ibeacon", "args": ["major": 0]], .beacon(BeaconCommand(major: 0))),
    (
      ["verb": "read", "args": ["what": "temperature", "source": "die", "deliver": "log"]],
      .read(ReadRequest(what: "temperature", selectors: ["source": "die"]), forLog: true)
    ),
    (
      ["verb": "i2c-read", "args": ["device": 28, "register": 13, "length": 1]],
      .bus(.readI2C(device: 28, register: 13, length: 1), forLog: false)
    ),
    (["verb": "log-start"], .logging(true)),
    (
      ["verb": "event-bind", "args": ["name": "a", "source": "button", "action": ["verb": "reset"]]],
      .bindEvent("a", BoardProgram.Event(.button(isPressed: nil), [BoardAction(.reset)]))
    ),
    (
      ["verb": "timer-create", "args": ["name": "a", "period_ms": 5]],
      .createTimer("a", BoardProgram.Timer(periodMilliseconds: 5))
    ),
    (
      ["verb": "processor-create", "args": ["name": "a", "from": "switch", "chain": ["buffer"], "to": []]],
      .createChain("a", Chain(from: "switch", [ChainStep("buffer")], outputs: []))
    ),
    (
      ["verb": "processor-create", "args": ["name": "a", "from": "switch", "chain": ["buffer"]]],
      .createChain("a", Chain(from: "switch", [ChainStep("buffer")], outputs: []))
    ),
    (["verb": "timer-stop", "args": ["name": "minute"]], .timer("minute", isOn: false)),
    (["verb": "macro-run", "args": ["name": "hello"]], .macro("hello")), (["verb": "reset"], .reset),
    (
      ["verb": "processor-set", "args": ["name": "a", "state": 3]],
      .processor(ProcessorChange(chain: "a", .state(3)))
    ),
    (["verb": "raw", "args": ["hex": "02 01 01"]], .raw([2, 1, 1])), (["verb": "sleep"], .sleep),
    (["verb": "disconnect"], .disconnect),
    (["verb": "stream-start", "args": ["stream": "acceleration"]], .stream("acceleration", isOn: true)),
    (["verb": "stream-stop", "args": ["stream": "gravity"]], .stream("gravity", isOn: false)),
  ]

  @Test(arguments: understood.indices)
  func `understands`(index: Int) throws {
    let (action, wanted) = Self.understood[index]
    #expect(try ActionParsing.parse(action) == [BoardAction(wanted)])
  }

  @Test func `tokens have defaults`() throws {
    let action: JSONValue = ["verb": "ibeacon", "args": ["major": 0], "token": ["length": 2]]
    #expect(try ActionParsing.parse([action]).map(\.token) == [BoardAction.Token(length: 2)])
  }

  private static let refused: [(action: JSONValue, code: CommandFailure.Code, word: String)] = [
    ([], .invalid, "1 to 28"), ("led", .invalid, "object"), (["verb": "dance"], .invalid, "no action"),
    (["verb": "identify"], .invalid, "cannot be"), (["verb": "led", "args": 3], .invalid, "args"),
    (["verb": "led", "args": ["color": "beige"]], .invalid, "color"),
    (["verb": "ibeacon"], .invalid, "at least one"),
    (["verb": "read", "args": ["what": "battery", "deliver": "post"]], .invalid, "deliver"),
    (["verb": "timer-start"], .invalid, "name"),
    (["verb": "log-start", "args": ["streams": [:]]], .invalid, "no arguments"),
    (["verb": "macro-run", "args": ["name": "a"], "token": ["length": 1]], .unsupported, "token"),
    (["verb": "led", "token": ["length": 8]], .invalid, "length"),
    (["verb": "led", "mode": "now"], .invalid, "mode"),
    (["verb": "identify"], .invalid, "it can do led, haptic"),
    (["verb": "sleep", "args": ["confirm": "e5a1c2d3f4b6"]], .invalid, "no arguments"),
    (["verb": "disconnect", "args": ["hold_s": 5]], .invalid, "no arguments"),
    (["verb": "stream-start", "args": ["stream": "acceleration", "rate_hz": 50]], .invalid, "not rate_hz"),
    (["verb": "stream-stop", "args": ["stream": "*"]], .invalid, "by its name"),
    (["verb": "stream-start", "args": ["stream": "weather"]], .invalid, "no stream"),
    (["verb": "stream-start"], .invalid, "no stream"),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (action, code, word) = Self.refused[index]
    let failure = try #require(throws: CommandFailure.self) { try ActionParsing.parse(action) }
    #expect(failure.code == code)
    #expect(failure.message.contains(word), "\(failure.message)")
  }

  @Test(
    arguments: [
      ("button", .button(isPressed: nil)), ("button-press", .button(isPressed: true)),
      ("button-release", .button(isPressed: false)), ("timer:minute", .timer("minute")),
      ("processor:presses", .chain("presses")), ("disconnect", .disconnect), ("gpio:1", .pin(1)),
      ("stream:acceleration", .stream("acceleration")), ("detector:tap", .detector("tap")), ("power", .power),
      ("charge", .charge),
      ("gpio:x", nil), ("timer", nil), ("sunrise", nil), ("", nil), ("moon:full", nil),
    ] as [(String, EventSource?)])
  func `sources`(text: String, source: EventSource?) { #expect(EventSource(text) == source) }
}
