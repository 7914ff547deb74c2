import FleetModel
import Testing

/// MQTT contract 3.7 and 3.8.
@Suite struct ProgramVerbsTests {
  private static let understood: [(verb: String, arguments: JSONObject, wanted: ProgramCommand)] = [
    (
      "timer-create", ["name": "minute", "period_ms": 60_000],
      .createTimer(
        "minute", BoardProgram.Timer(periodMilliseconds: 60_000),
        declared: ["period_ms": 60_000, "repetitions": 0, "immediate": false, "start": true])
    ),
    (
      "timer-create",
      [
        "name": "a", "period_ms": 1, "repetitions": 3, "immediate": true, "start": false,
        "action": ["verb": "reset"],
      ],
      .createTimer(
        "a",
        BoardProgram.Timer(
          periodMilliseconds: 1, repetitions: 3, isImmediate: true, isStarted: false,
          actions: [BoardAction(.reset)]),
        declared: [
          "period_ms": 1, "repetitions": 3, "immediate": true, "start": false, "action": ["verb": "reset"],
        ])
    ),
    ("timer-start", ["name": "a"], .startTimer("a")), ("timer-stop", ["name": "a"], .stopTimer("a")),
    ("timer-remove", ["name": "a"], .removeTimer(.name("a"))),
    (
      "timer-create", ["name": "a", "period_ms": 5, "to": ["stream"]],
      .createTimer(
        "a", BoardProgram.Timer(periodMilliseconds: 5, isStreamed: true),
        declared: [
          "period_ms": 5, "repetitions": 0, "immediate": false, "start": true, "to": ["stream"],
        ])
    ),
    ("timer-remove", ["slot": 3], .removeTimer(.slot(3))),
    ("event-remove", ["all": true], .removeEvent(.all(includingForeign: false))),
    ("processor-remove", ["all": true, "foreign": true], .removeChain(.all(includingForeign: true))),
    (
      "event-bind", ["name": "a", "source": "button", "action": ["verb": "led", "args": ["state": "OFF"]]],
      .bindEvent(
        "a", BoardProgram.Event(.button(isPressed: nil), [BoardAction(.led(.off))]),
        declared: ["source": "button", "action": ["verb": "led", "args": ["state": "OFF"]]])
    ),
    ("event-remove", ["slot": 0], .removeEvent(.slot(0))),
    (
      "macro-record", ["name": "a", "action": ["verb": "reset"], "at_boot": true],
      .recordMacro("a", [BoardAction(.reset)], isRunAtBoot: true)
    ),
    ("macro-run", ["name": "a"], .runMacro("a")),
    ("macro-erase", ["confirm": "e5a1c2d3f4b6"], .eraseMacros(includingForeign: false)),
    ("macro-list", [:], .listMacros),
    (
      "processor-create", ["name": "a", "from": "acceleration", "rate_hz": 50, "chain": ["rms"]],
      .createChain(
        "a", Chain(from: "acceleration", [ChainStep("rms")], configuration: ["rate_hz": 50]),
        declared: ["from": "acceleration", "rate_hz": 50, "chain": ["rms"], "to": ["stream"]])
    ),
    (
      "processor-create", ["name": "activity", "from": "switch", "chain": ["counter"]],
      .createChain(
        "activity", Chain(from: "switch", [ChainStep("counter", ["size": 4])]),
        declared: ["from": "switch", "chain": ["counter"], "to": ["stream"]])
    ),
    ("processor-set", ["name": "a", "reset": true], .changeProcessor(ProcessorChange(chain: "a", .reset))),
    (
      "processor-set", ["name": "a", "step": 1, "parameters": ["boundary_g": 1]],
      .changeProcessor(ProcessorChange(chain: "a", step: 1, .parameters(["boundary_g": 1])))
    ),
    ("processor-remove", ["name": "a"], .removeChain(.name("a"))), ("processor-list", [:], .listProcessors),
  ]

  @Test(arguments: understood.indices)
  func `understands`(index: Int) throws {
    let (verb, arguments, wanted) = Self.understood[index]
    #expect(try intent(verb, arguments) == .device(.program(wanted)))
  }

  private static let refused: [(verb: String, arguments: JSONObject, word: String)] = [
    ("timer-create", ["name": "a"], "period_ms"), ("timer-create", ["name": "A", "period_ms": 1], "name"),
    ("timer-create", ["name": "1a", "period_ms": 1], "name"),
    ("timer-create", ["name": "a_b", "period_ms": 1], "name"),
    ("timer-create", ["name": "a", "period_ms": 1, "repetitions": 65_535], "repetitions"),
    ("timer-create", ["name": "battery", "period_ms": 1, "to": ["stream"]], "name of a stream"),
    ("timer-create", ["name": "a", "period_ms": 1, "action": ["verb": "x"]], "no action"),
    ("event-remove", ["name": "a", "all": true], "name or slot"),
    ("processor-remove", ["slot": 1, "foreign": true], "only with all"),
    ("timer-remove", [:], "name or slot"), ("timer-remove", ["name": "a", "slot": 1], "name or slot"),
    ("event-bind", ["name": "a", "source": "rain", "action": ["verb": "reset"]], "source"),
    ("event-bind", ["name": "a", "source": "button"], "action"), ("macro-erase", [:], "confirm"),
    ("processor-create", ["name": "acceleration", "from": "switch", "chain": ["rms"]], "name of a stream"),
    ("processor-create", ["from": "switch", "chain": ["rms"]], "name"),
    ("processor-set", ["name": "a"], "one of"),
    ("processor-set", ["name": "a", "state": 1, "reset": true], "one of"),
    ("processor-set", ["name": "a", "parameters": 3], "object"),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (verb, arguments, word) = Self.refused[index]
    let refusal = try #require(try refusal(verb, arguments))
    #expect(refusal.code == .invalid)
    #expect(refusal.message.contains(word), "\(refusal.message)")
  }
}
