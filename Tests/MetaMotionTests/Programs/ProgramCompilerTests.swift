import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct ProgramCompilerTests {
  /// What the board would be told, its slots given in order.
  private func commands(_ program: BoardProgram, on board: TestBoard = .metaMotionS) throws -> [String] {
    let compiler = try ProgramCompiler(program, on: try board.inventory(), macros: ["hello": 3])
    var slots = ResourceSlots()
    var counts: [ResourceKey.Kind: UInt8] = [:]
    return compiler.keys.flatMap { key in
      let resource = compiler.resource(key, in: slots)
      slots[key] = counts[key.kind, default: 0]
      counts[key.kind, default: 0] += 1
      return resource?.commands.map(\.hex) ?? ["?"]
    }
  }

  private func event(_ source: EventSource, _ actions: BoardAction...) -> BoardProgram {
    BoardProgram(
      chains: ["presses": ProgramPlanTests.presses], timers: ["t": .init(periodMilliseconds: 1)],
      events: ["e": .init(source, actions)])
  }

  private static let actions: [(command: BoardAction.Command, packets: [String])] = [
    (.led(.play), ["0a020101ff020101", "0a0301"]), (.led(.off), ["0a020101ff020201", "0a0301"]),
    (
      .haptic(HapticCommand(.motor(percent: 100), milliseconds: 3_000)), ["0a020101ff080104", "0a03f8b80b00"]
    ),
    (.pin(PinCommand(pin: 1, isHigh: true)), ["0a020101ff050101", "0a0301"]),
    (.bus(.writeI2C(device: 1, register: 2, [3]), forLog: false), ["0a020101ff0d0105", "0a030102ff0103"]),
    (
      .bus(.readI2C(device: 1, register: 2, length: 3), forLog: true), ["0a020101ff0dc104", "0a030102ff03"]
    ),
    (.read(ReadRequest(what: "battery", selectors: [:]), forLog: false), ["0a020101ff118c00", "0a03"]),
    (
      .read(ReadRequest(what: "temperature", selectors: ["channel": 1]), forLog: true),
      ["0a020101ff04c101", "0a0301"]
    ),
    (.logging(false), ["0a020101ff0b0101", "0a0300"]),
    (.timer("t", isOn: true), ["0a020101ff0c0301", "0a0300"]),
    (.macro("hello"), ["0a020101ff0f0501", "0a0303"]),
    (
      .bindEvent("more", BoardProgram.Event(.disconnect, [BoardAction(.led(.play))])),
      ["0a020101ff0a0206", "0a03110aff020101", "0a020101ff0a0301", "0a0301"]
    ),
    (.processor(ProcessorChange(chain: "presses", .state(7))), ["0a020101ff090405", "0a030007000000"]),
    (.processor(ProcessorChange(chain: "presses", .reset)), ["0a020101ff090401", "0a0300"]),
    (
      .processor(ProcessorChange(chain: "presses", .parameters(["size": 1]))),
      ["0a020101ff090503", "0a03000210"]
    ),
    (
      .read(ReadRequest(what: "gpio", selectors: ["pin": 2, "kind": "digital"]), forLog: false),
      ["0a020101ff058801", "0a0302"]
    ),
    (
      .read(
        ReadRequest(what: "gpio", selectors: ["pin": 1, "kind": "adc", "pull_up_pin": 3, "delay_us": 40]),
        forLog: true), ["0a020101ff05c705", "0a030103ff0aff"]
    ),
    (
      .read(ReadRequest(what: "processor", selectors: ["name": "presses"]), forLog: true),
      ["0a020101ff09c401", "0a0300"]
    ),
    (.reset, ["0a020101fffe0100", "0a03"]), (.raw([0x02, 0x01, 0x01]), ["0a020101ff020101", "0a0301"]),
  ]

  @Test(arguments: actions.indices)
  func `actions become packets`(index: Int) throws {
    let (command, packets) = Self.actions[index]
    #expect(
      try commands(event(.button(isPressed: nil), BoardAction(command))).suffix(packets.count) == packets)
  }

  @Test func `sleep is two packets: the next reset ends powered down, and the reset`() throws {
    let written = try commands(event(.button(isPressed: nil), BoardAction(.sleep)))
    #expect(written.suffix(4) == ["0a020101fffe0700", "0a03", "0a020101fffe0100", "0a03"])
    let failure = try #require(throws: CommandFailure.self) {
      try commands(event(.disconnect, BoardAction(.sleep)), on: TestBoard.metaMotionS.with("fe8000"))
    }
    #expect(failure.code == .unsupported)
  }

  @Test(
    arguments: [
      (.timer("t"), "0c0600"), (.chain("presses"), "090300"), (.disconnect, "110aff"), (.pin(2), "050a02"),
      (.stream("acceleration"), "0304ff"), (.power, "1111ff"), (.charge, "1112ff"),
      (.button(isPressed: nil), "0101ff"),
    ] as [(EventSource, String)])
  func `sources have their address`(source: EventSource, hex: String) throws {
    let written = try commands(event(source, BoardAction(.led(.play))))
    #expect(written.dropLast().last == "0a02\(hex)020101")
  }

  @Test(
    arguments: [
      ("any-motion", "0309", "030b"), ("step", "030b", "0319"), ("activity", "030c", nil),
      ("wrist-gesture", "030a", nil), ("tap", nil, "030e"), ("orientation", nil, "0311"),
      ("flat", nil, "0314"),
      ("low-g", nil, "0308"), ("magnetic-alarm", "1508", "1508"), ("sunrise", nil, nil),
    ] as [(String, String?, String?)])
  func `detectors set off actions by the registers of the chip, where it has them`(
    name: String, onS: String?, onRL: String?
  ) throws {
    for (board, register) in [(TestBoard.metaMotionS, onS), (.metaMotionRL, onRL)] {
      let source = try? ProgramCompiler(
        event(.detector(name), BoardAction(.led(.play))), on: try board.inventory()
      ).resource(.event("e", 0), in: ResourceSlots())
      #expect(source?.commands.first?.hex == register.map { "0a02\($0)ff020101" }, "\(board)")
    }
  }

  @Test func `one edge of the button is one more processor`() throws {
    let program = BoardProgram(
      events: ["e": .init(.button(isPressed: false), [BoardAction(.led(.play))])])
    #expect(try commands(program) == ["09020101ff00060000", "0a02090300020101", "0a0301"])
  }

  @Test func `readable sources are read by a timer`() throws {
    let chain = Chain(from: "temperature-die", [ChainStep("counter", ["size": 1])], every: .seconds(60))
    #expect(
      try commands(BoardProgram(chains: ["a": chain])) == [
        "09020481002002" + "14", "0c0260ea0000ffff00", "0a020c0600048101", "0a0300",
      ])
  }

  private static let refused: [(program: BoardProgram, code: CommandFailure.Code, words: String)] = [
    (BoardProgram(events: ["e": .init(.chain("x"), [BoardAction(.reset)])]), .invalid, "no chain \"x\""),
    (BoardProgram(events: ["e": .init(.timer("x"), [BoardAction(.reset)])]), .invalid, "no timer \"x\""),
    (BoardProgram(events: ["e": .init(.pin(99), [BoardAction(.reset)])]), .unsupported, "pin"),
    (
      BoardProgram(events: ["e": .init(.disconnect, [BoardAction(.timer("x", isOn: true))])]), .invalid,
      "no timer \"x\""
    ),
    (BoardProgram(events: ["e": .init(.disconnect, [BoardAction(.macro("x"))])]), .invalid, "no macro x"),
    (
      BoardProgram(events: [
        "e": .init(.disconnect, [BoardAction(.led(.play), token: .init(length: 1, packet: 1))])
      ]), .invalid, "packet 1"
    ),
    (
      BoardProgram(events: [
        "e": .init(.disconnect, [BoardAction(.led(.play), token: .init(length: 1, destination: 1))])
      ]), .invalid, "dest 1"
    ),
    (
      BoardProgram(
        chains: ["b": Chain(from: "switch", [ChainStep("buffer")])],
        events: ["e": .init(.chain("b"), [BoardAction(.reset)])]), .invalid, "buffer"
    ),
    (
      BoardProgram(events: [
        "e": .init(.disconnect, [BoardAction(.processor(ProcessorChange(chain: "x", .reset)))])
      ]), .invalid, "x"
    ),
    (
      BoardProgram(events: [
        "e": .init(.disconnect, [BoardAction(.read(ReadRequest(what: "mac", selectors: [:]), forLog: false))])
      ]), .invalid, "mac"
    ),
    (
      BoardProgram(events: [
        "e": .init(
          .disconnect, [BoardAction(.read(ReadRequest(what: "gpio", selectors: ["pin": 9]), forLog: false))])
      ]), .unsupported, "gpio-9-digital"
    ),
    (
      BoardProgram(events: ["e": .init(.disconnect, [BoardAction(.stream("gravity", isOn: true))])]),
      .invalid,
      "gravity is not configured"
    ),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (program, code, words) = Self.refused[index]
    let failure = try #require(throws: CommandFailure.self) { try commands(program) }
    #expect(failure.code == code)
    #expect(failure.message.contains(words), "\(failure.message)")
  }

  @Test func `modules that are missing are named`() throws {
    let timers = BoardProgram(timers: ["t": .init(periodMilliseconds: 1)])
    let failure = try #require(throws: CommandFailure.self) {
      try commands(timers, on: TestBoard.metaMotionS.with("0c80"))
    }
    #expect(failure.code == .unsupported)
    #expect(failure.message.contains("timer"))
  }
}
