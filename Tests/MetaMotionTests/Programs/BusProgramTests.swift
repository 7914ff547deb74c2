import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Registers of devices on the buses in logs and chains, byte by byte (protocol reference, sections 2.2 and 18).
@Suite struct BusProgramTests {
  private static let who: JSONObject = ["device": 28, "register": 13, "length": 1, "every": "1s"]
  private static let tank: JSONObject = ["device": 29, "register": 1, "length": 2, "every": "1s"]

  private func compile(
    _ logs: [String: JSONObject] = [:], chains: [String: Chain] = [:],
    events: [String: BoardProgram.Event] = [:], on board: TestBoard = .metaMotionS
  ) throws -> ProgramCompiler {
    let requests = logs.map { ($0.key, StreamRequest(name: $0.key, configuration: $0.value)) }
    let program = BoardProgram(
      chains: chains, events: events, logs: Dictionary(uniqueKeysWithValues: requests))
    return try ProgramCompiler(program, on: try board.inventory())
  }

  /// All slots given in order.
  private func slots(_ compiler: ProgramCompiler) -> ResourceSlots {
    var slots = ResourceSlots()
    var counts: [ResourceKey.Kind: UInt8] = [:]
    for key in compiler.keys {
      slots[key] = counts[key.kind, default: 0]
      counts[key.kind, default: 0] += 1
    }
    return slots
  }

  /// What the board would be told.
  private func commands(_ compiler: ProgramCompiler) -> [String] {
    let slots = slots(compiler)
    return compiler.keys.flatMap { compiler.resource($0, in: slots)?.commands.map(\.hex) ?? ["?"] }
  }

  private func chain(
    _ source: String, _ keys: JSONObject, _ steps: ChainStep..., every: Duration = .seconds(1)
  ) -> Chain {
    var keys = keys
    keys["every"] = nil
    return Chain(from: source, steps, configuration: keys, every: every)
  }

  private func failure(_ compile: @autoclosure () throws -> ProgramCompiler) throws -> CommandFailure {
    try #require(throws: CommandFailure.self) { try compile() }
  }

  @Test func `a log is a logger of its own id, and a timer that reads silently`() throws {
    #expect(
      commands(try compile(["i2c-who": Self.who])) == [
        "0b020dc10f00", "0c02e8030000ffff00", "0a020c06000dc104", "0a031c0d0f01",
      ])
    #expect(commands(try compile(["i2c-tank": Self.tank])).first == "0b020dc10920")
    let spi = BusSourceTests.lowG.merging(["every": "1s"])
    #expect(
      commands(try compile(["spi-who": spi])) == [
        "0b020dc20760", "0c02e8030000ffff00", "0a020c06000dc207", "0a030a000b077673da",
      ])
  }

  @Test func `two streams of one board are read apart`() throws {
    let all = commands(try compile(["i2c-who": Self.who, "i2c-tank": Self.tank]))
    #expect(all.filter { $0.hasPrefix("0b02") } == ["0b020dc10920", "0b020dc10f00"])
    #expect(all.filter { $0.hasPrefix("0a03") } == ["0a031d010902", "0a031c0d0f01"])
    let spi = BusSourceTests.lowG.merging(["every": "1s"])
    let loggers = commands(try compile(["spi-flow": spi, "spi-level": spi])).filter { $0.hasPrefix("0b02") }
    #expect(loggers == ["0b020dc20560", "0b020dc20660"])
  }

  @Test func `what is kept with a log says which number its bytes are`() throws {
    let keys: JSONObject = [
      "device": 28, "register": 13, "length": 3, "format": "i", "every": "1s", "record": true,
    ]
    let compiler = try compile(["i2c-tank": keys])
    let logged = try #require(compiler.logs.planned.first?.logged(in: slots(compiler)))
    #expect(logged.fields.map(\.name) == ["tank_raw"] && logged.slots == [0] && logged.period == .seconds(1))
    #expect(logged.configuration["register"] == 13 && logged.configuration["record"] == nil)
    let layout = try #require(SampleLayout(encoded: logged.layout))
    #expect(layout.samples(in: bytes("fffffe")) == [.init(values: [-2])])
    var decoder = LogEntryDecoder([logged], rest: [])
    var decoded = DecodedLog()
    decoder.decode(bytes("a0 07000000 fffffe00 a0 08000000 00010200"), into: &decoded)
    #expect(decoded.values == [-2, 258])
  }

  @Test func `a chain hears loud reads of its own id on current firmware`() throws {
    let chains = ["calm": chain("i2c-who", Self.who, ChainStep("average", ["depth": 4]))]
    #expect(
      commands(try compile(chains: chains)) == [
        "09020d818f0003000400", "0c02e8030000ffff00", "0a020c06000d8104", "0a031c0d8f01",
      ])
    var older = TestBoard.metaMotionR
    older.firmware = "1.1.3"
    #expect(
      commands(try compile(chains: chains, on: older)) == [
        "09020dc18f00030004", "0c02e8030000ffff00", "0a020c06000dc104", "0a031c0d8f01",
      ])
  }

  @Test func `F300 chains on one register share its reads`() throws {
    let count = ChainStep("counter", ["size": 1])
    let both = try compile(chains: [
      "a": chain("i2c-who", Self.who, count), "b": chain("i2c-who", Self.who, count),
    ])
    #expect(both.chains.polls.count == 1)
    let apart = try compile(chains: [
      "a": chain("i2c-who", Self.who, count), "b": chain("i2c-tank", Self.who, count),
    ])
    #expect(apart.chains.polls.count == 2)
    let other = try failure(
      compile(chains: ["a": chain("i2c-who", Self.who, count), "b": chain("i2c-who", Self.tank, count)]))
    #expect(other.code == .invalid && other.message.contains("another name"))
  }

  private static let computing = [
    ChainStep("average", ["depth": 4]), ChainStep("accumulator", ["size": 4]),
    ChainStep("comparator", ["value": 1, "op": ">"]), ChainStep("math", ["op": "add", "value": 1]),
    ChainStep("delta", ["magnitude": 1]), ChainStep("threshold", ["boundary": 1, "hysteresis": 0]),
  ]

  @Test(arguments: computing)
  func `F301 processors compute with the lowest byte first`(step: ChainStep) throws {
    let refused = try failure(compile(chains: ["a": chain("i2c-tank", Self.tank, step)]))
    #expect(refused.code == .invalid && refused.message.contains("big_endian"), "\(refused.message)")
    var little = Self.tank
    little["big_endian"] = false
    #expect(throws: Never.self) { try compile(chains: ["a": chain("i2c-tank", little, step)]) }
    #expect(throws: Never.self) { try compile(chains: ["a": chain("i2c-who", Self.who, step)]) }
  }

  private static let passing = [
    ChainStep("passthrough"), ChainStep("counter", ["size": 1]), ChainStep("delay", ["samples": 2]),
    ChainStep("packer", ["count": 2]), ChainStep("accounter", ["mode": "count"]),
    ChainStep("time", ["period_ms": 100]),
  ]

  @Test(arguments: passing) func `what passes samples on takes any order`(step: ChainStep) throws {
    let compiler = try compile(chains: ["a": chain("i2c-tank", Self.tank, step)])
    guard step.type == "passthrough" else { return }
    let output = try #require(compiler.chains.output(of: "a")).output
    #expect(output.samples(in: bytes("0102")) == [.init(values: [258])])
  }

  @Test func `boards without the bus are told apart from wrong chains`() throws {
    let chains = ["a": chain("i2c-who", Self.who, ChainStep("counter", ["size": 1]))]
    let none = TestBoard.metaMotionS.with("0d80")
    #expect(try failure(compile(chains: chains, on: none)).code == .unsupported)
    #expect(try failure(compile(["i2c-who": Self.who], on: none)).code == .unsupported)
    let spi = BusSourceTests.lowG.merging(["every": "1s"])
    let old = TestBoard.metaMotionS.with("0d800000")
    #expect(try failure(compile(["spi-who": spi], on: old)).code == .unsupported)
  }

  private func reading(_ length: UInt8, forLog: Bool) -> [String: BoardProgram.Event] {
    let command = BusCommand.readI2C(device: 28, register: 13, length: length)
    return ["e": BoardProgram.Event(.disconnect, [BoardAction(.bus(command, forLog: forLog))])]
  }

  @Test func `an action reads for the log of the same register, and for the chain`() throws {
    let logs = ["i2c-who": Self.who]
    #expect(
      commands(try compile(logs, events: reading(1, forLog: true))).suffix(2) == [
        "0a02110aff0dc104", "0a031c0d0f01",
      ])
    #expect(commands(try compile(logs, events: reading(2, forLog: true))).last == "0a031c0dff02")
    #expect(commands(try compile(logs, events: reading(1, forLog: false))).last == "0a031c0dff01")
    let chains = ["a": chain("i2c-who", Self.who, ChainStep("counter", ["size": 1]))]
    #expect(
      commands(try compile(chains: chains, events: reading(1, forLog: false))).suffix(2) == [
        "0a02110aff0d8104", "0a031c0d8f01",
      ])
  }

  @Test func `what others log of a device is told as its bytes`() {
    var graph = ProcessorGraph()
    graph.chip = .bmi270
    let address = SignalAddress(SerialBus.i2c, .silentRead, index: 5)
    #expect(graph.layout(at: address, Slice(offset: 0, length: 2)) == .numbers(.plain(1, channels: 2)))
    #expect(graph.name(of: address) == "i2c[5]")
  }
}
