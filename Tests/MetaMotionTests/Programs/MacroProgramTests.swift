import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// What macros make at a start (protocol reference, section 19).
@Suite struct MacroProgramTests {
  private static let play = BoardAction(.led(.play))
  private static let presses = BoardAction(
    .createChain("presses", Chain(from: "switch", [ChainStep("counter", ["size": 1])], outputs: [])))

  private static func inventory() throws -> Inventory { try TestBoard.metaMotionS.inventory() }

  private static func hex(
    _ actions: [BoardAction], behind earlier: [Macro] = []
  ) throws -> [String] {
    try MacroProgram(actions).commands(
      on: try inventory(), macros: [:], streams: ConfiguredStreams(), behind: earlier
    ).all.map(\.hex)
  }

  @Test func `an event is made by its two packets`() throws {
    let event = BoardProgram.Event(.button(isPressed: nil), [Self.play])
    #expect(try Self.hex([BoardAction(.bindEvent("light", event))]) == ["0a020101ff020101", "0a0301"])
  }

  @Test func `a chain comes before what it sets off, by the slots that are free at a start`() throws {
    let beacon = BoardAction(.beacon(BeaconCommand(major: 0)), token: .init(length: 1))
    let event = BoardProgram.Event(.chain("presses"), [beacon])
    let hex = try Self.hex([BoardAction(.bindEvent("press", event)), Self.presses])
    #expect(hex.first == "09020101ff000210")
    #expect(hex.dropFirst().first?.hasPrefix("0a02090300") == true, "\(hex)")
  }

  @Test func `a timer is started behind all the rest`() throws {
    let timer = BoardProgram.Timer(periodMilliseconds: 60_000, actions: [Self.play])
    #expect(
      try Self.hex([BoardAction(.createTimer("minute", timer)), BoardAction(.led(.off))]) == [
        "0c0260ea0000ffff00", "0a020c0600020101", "0a0301", "020201", "0c0300",
      ])
  }

  @Test func `macros that run before take their slots`() throws {
    let earlier = Macro(isRunAtBoot: true, commands: [bytes("0c0260ea0000ffff00")])
    let timer = BoardProgram.Timer(periodMilliseconds: 60_000, isStarted: false, actions: [Self.play])
    let hex = try Self.hex([BoardAction(.createTimer("minute", timer))], behind: [earlier])
    #expect(hex == ["0c0260ea0000ffff00", "0a020c0601020101", "0a0301"])
  }

  @Test func `only what rests on slots cannot be tried before a start`() throws {
    let event = BoardProgram.Event(.disconnect, [Self.play])
    #expect(try !MacroProgram([BoardAction(.bindEvent("a", event))]).needsSlots)
    let edge = BoardProgram.Event(.button(isPressed: true), [Self.play])
    #expect(try MacroProgram([BoardAction(.bindEvent("a", edge))]).needsSlots)
    #expect(try MacroProgram([Self.presses]).needsSlots)
  }

  @Test func `what aims at slots of a start is not tried before it`() throws {
    let actions = [
      Self.presses, BoardAction(.createTimer("minute", BoardProgram.Timer(periodMilliseconds: 60_000))),
      BoardAction(.timer("minute", isOn: true)), BoardAction(.led(.off)),
      BoardAction(.processor(ProcessorChange(chain: "presses", .reset))),
      BoardAction(.read(ReadRequest(what: "processor", selectors: ["name": "presses"]), forLog: true)),
    ]
    let (all, others) = try MacroProgram(actions).commands(
      on: try Self.inventory(), macros: [:], streams: ConfiguredStreams(), behind: [])
    #expect(others.map(\.hex) == ["020201"])
    #expect(
      all.map(\.hex) == [
        "09020101ff000210", "0c0260ea0000ffff00", "0c0300", "020201", "090400", "09c400", "0c0300",
      ])
  }

  private static let refused: [[BoardAction]] = [
    [
      BoardAction(
        .createChain("a", Chain(from: "switch", [ChainStep("counter", ["size": 1])], outputs: [.stream])))
    ],
    [BoardAction(.createTimer("a", BoardProgram.Timer(periodMilliseconds: 1_000, isStreamed: true)))],
    [presses, presses],
    [BoardAction(.bindEvent("a", BoardProgram.Event(.timer("none"), [play])))],
    [presses, BoardAction(.timer("none", isOn: true))],
    [
      BoardAction(
        .createChain("a", Chain(from: "switch", [ChainStep("counter", ["size": 1])], outputs: [.log])))
    ],
  ]

  @Test(arguments: refused.indices)
  func `what a start cannot have is refused`(index: Int) {
    #expect(throws: CommandFailure.self) { try Self.hex(Self.refused[index]) }
  }

  @Test func `F49 what the board itself would set off at every start is a trap`() throws {
    func trap(
      _ source: EventSource, _ command: BoardAction.Command, beside others: [BoardAction] = []
    ) throws -> String? {
      let event = BoardProgram.Event(source, [BoardAction(command)])
      let commands = try MacroProgram(others + [BoardAction(.bindEvent("a", event))]).commands(
        on: try Self.inventory(), macros: [:], streams: ConfiguredStreams(), behind: []
      ).all
      return StartTrap(commands).reason
    }
    #expect(try trap(.charge, .reset) != nil && trap(.stream("acceleration"), .sleep) != nil)
    #expect(try trap(.button(isPressed: nil), .reset) == nil && trap(.disconnect, .reset) == nil)
    #expect(try trap(.charge, .led(.play)) == nil)
    #expect(try trap(.button(isPressed: true), .reset) == nil)
    let timer = BoardAction(.createTimer("t", BoardProgram.Timer(periodMilliseconds: 1_000)))
    let inner = BoardProgram.Event(.timer("t"), [BoardAction(.reset)])
    #expect(try trap(.timer("t"), .bindEvent("b", inner), beside: [timer]) != nil)
  }
}
