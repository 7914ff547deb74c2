import FleetModel
import Testing

/// What boards shall do by themselves, as it is declared and kept (MQTT contract 1.5, 7.4).
@Suite struct ProgramDeclarationsTests {
  private static let timer = ProgramKey(.timer, "minute")
  private static let chain = ProgramKey(.chain, "presses")

  private static func declared() throws -> ProgramDeclarations {
    var declarations = ProgramDeclarations()
    try declarations.declare(timer, ["period_ms": 60_000])
    try declarations.declare(chain, ["from": "switch", "chain": ["counter", ["average": 4]], "to": []])
    try declarations.declare(
      ProgramKey(.event, "hello"), ["source": "button", "action": ["verb": "led", "args": ["state": "OFF"]]])
    return declarations
  }

  @Test func `defaults are filled in`() throws {
    #expect(
      try Self.declared().entries[Self.timer]
        == ["period_ms": 60_000, "repetitions": 0, "immediate": false, "start": true])
  }

  @Test func `all of it means something`() throws {
    let program = try Self.declared().program
    #expect(program.timers["minute"] == BoardProgram.Timer(periodMilliseconds: 60_000))
    #expect(program.chains["presses"]?.steps.map(\.type) == ["counter", "average"])
    #expect(program.events["hello"]?.source == .button(isPressed: nil))
  }

  private static let refused: [(key: ProgramKey, arguments: JSONObject)] = [
    (timer, [:]), (timer, ["period_ms": 0]), (timer, ["period_ms": 1, "name": "other"]),
    (timer, ["period_ms": 1, "action": ["verb": "fly"]]), (ProgramKey(.timer, "A b"), ["period_ms": 1]),
    (chain, ["from": "switch", "chain": []]),
    (ProgramKey(.chain, "acceleration"), ["from": "switch", "chain": ["counter"]]),
    (ProgramKey(.event, "hello"), ["source": "doorbell", "action": ["verb": "reset"]]),
    (ProgramKey(.event, "hello"), ["source": "button", "action": ["verb": "reset"], "confirm": "a"]),
  ]

  @Test(arguments: refused)
  func `the same is refused as of the verbs`(key: ProgramKey, arguments: JSONObject) {
    var declarations = ProgramDeclarations()
    #expect(throws: CommandFailure.self) { try declarations.declare(key, arguments) }
    #expect(declarations.isEmpty)
  }

  @Test func `what is kept comes back`() throws {
    let declarations = try Self.declared()
    #expect(ProgramDeclarations(document: declarations.document) == declarations)
    #expect(
      ProgramDeclarations(document: ["timers/a": [:], "x/y": ["period_ms": 1], "timers": 3, "timers/b": 3])
        .isEmpty)
  }

  @Test func `commands change what is wanted`() throws {
    let before = try Self.declared()
    #expect(before.edited(by: .removeTimer(.name("minute"))).program.timers.isEmpty)
    #expect(before.edited(by: .removeEvent(.name("hello"))).program.events.isEmpty)
    #expect(before.edited(by: .removeChain(.name("presses"))).program.chains.isEmpty)
    #expect(before.edited(by: .removeTimer(.slot(0))) == before)
    #expect(before.edited(by: .listMacros) == before)
    #expect(before.edited(by: .stopTimer("minute")).program.timers["minute"]?.isStarted == false)
    #expect(before.edited(by: .stopTimer("minute")).edited(by: .startTimer("minute")) == before)
    #expect(before.edited(by: .stopTimer("hour")) == before)
    let change = ProcessorChange(chain: "presses", .parameters(["depth": 8]))
    #expect(
      before.edited(by: .changeProcessor(change)).entries[Self.chain]?["chain"]
        == ["counter", ["average": ["depth": 8]]])
    let state = ProcessorChange(chain: "presses", step: 0, .state(7))
    #expect(before.edited(by: .changeProcessor(state)) == before)
  }

  @Test func `a timer takes the events along that wait for it`() throws {
    var before = try Self.declared()
    let action: JSONValue = ["verb": "led", "args": ["state": "OFF"]]
    try before.declare(ProgramKey(.event, "tick"), ["source": "timer:minute", "action": action])
    try before.declare(ProgramKey(.event, "orphan"), ["source": "timer:hour", "action": action])
    let after = before.edited(by: .removeTimer(.name("minute")))
    #expect(after.program.events.keys.sorted() == ["hello", "orphan"] && after.program.timers.isEmpty)
    var program = before.program
    #expect(program.remove(timer: "minute") && !program.remove(timer: "minute"))
    #expect(program.events.keys.sorted() == ["hello", "orphan"])
  }

  @Test func `a timer is a stream where its ticks are wanted`() throws {
    var declarations = try Self.declared()
    #expect(declarations.yieldingStreams == ["presses"] && declarations.program.streams.isEmpty)
    try declarations.declare(ProgramKey(.timer, "beat"), ["period_ms": 1_000, "to": ["stream"]])
    #expect(declarations.yieldingStreams == ["presses", "beat"])
    #expect(declarations.program.streams.keys.sorted() == ["beat"])
  }

  @Test func `all of a kind goes at once`() throws {
    let before = try Self.declared()
    #expect(before.edited(by: .removeTimer(.all(includingForeign: false))).program.timers.isEmpty)
    #expect(before.edited(by: .removeEvent(.all(includingForeign: true))).program.events.isEmpty)
    let without = before.edited(by: .removeChain(.all(includingForeign: false)))
    #expect(without.program.chains.isEmpty && without.program.timers.count == 1)
  }

  @Test func `one is laid over the other`() throws {
    let base = try Self.declared()
    var ours = ProgramDeclarations()
    try ours.declare(Self.timer, ["period_ms": 5])
    let both = ours.laid(over: base)
    #expect(both.program.timers["minute"]?.periodMilliseconds == 5 && both.program.events.count == 1)
    #expect(both.besides(base) == ours)
  }
}
