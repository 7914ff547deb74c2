import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// What is logged, as loggers and reads (MQTT contract 2.2 to 2.5; protocol reference, section 16.2).
@Suite struct LogCompilerTests {
  private static func request(_ name: String, _ configuration: JSONObject = [:]) -> [String: StreamRequest] {
    [name: StreamRequest(name: name, configuration: configuration)]
  }

  private func compile(
    _ logs: [String: StreamRequest], chains: [String: Chain] = [:], on board: TestBoard = .metaMotionS
  ) throws -> ProgramCompiler {
    try ProgramCompiler(BoardProgram(chains: chains, logs: logs), on: try board.inventory())
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

  private static let signals: [(name: String, keys: JSONObject, board: TestBoard, commands: [String])] = [
    ("acceleration", [:], .metaMotionS, ["0b020304ff60", "0b020304ff24"]),
    ("acceleration-y", [:], .metaMotionS, ["0b020304ff22"]),
    ("angular-velocity", [:], .metaMotionS, ["0b021304ff60", "0b021304ff24"]),
    ("angular-velocity", [:], .metaMotionR, ["0b021305ff60", "0b021305ff24"]),
    ("quaternion", [:], .metaMotionS, ["0b021907ff60", "0b021907ff64", "0b021907ff68", "0b021907ff6c"]),
    (
      "corrected-magnetic-field", [:], .metaMotionS,
      ["0b021906ff60", "0b021906ff64", "0b021906ff68", "0b021906ff0c"]
    ),
    ("pressure", [:], .metaMotionS, ["0b021201ff60"]), ("switch", [:], .metaMotionS, ["0b020101ff00"]),
    ("any-motion", [:], .metaMotionS, ["0b020309ff00"]), ("any-motion", [:], .metaMotionR, ["0b02030bff00"]),
    ("tap", [:], .metaMotionR, ["0b02030eff00"]),
    // Read by the board itself, silently.
    (
      "temperature-die", ["every": "60s"], .metaMotionS,
      ["0b0204c10020", "0c0260ea0000ffff00", "0a020c060004c101", "0a0300"]
    ),
    (
      "gpio-1-adc", ["every": "1s"], .metaMotionS,
      ["0b0205c70120", "0c02e8030000ffff00", "0a020c060005c705", "0a0301ffff00ff"]
    ),
    (
      "battery", ["every": "1s"], .metaMotionR,
      ["0b0211ccff40", "0c02e8030000ffff00", "0a020c060011cc00", "0a03"]
    ),
    (
      "steps", ["every": "1s"], .metaMotionR,
      ["0b0203daff20", "0c02e8030000ffff00", "0a020c060003da00", "0a03"]
    ),
  ]

  @Test(arguments: signals.indices) func `loggers and reads`(index: Int) throws {
    let (name, keys, board, expected) = Self.signals[index]
    #expect(commands(try compile(Self.request(name, keys), on: board)) == expected)
  }

  @Test func `chains are logged where they come out`() throws {
    let chain = Chain(
      from: "acceleration", [ChainStep("rms"), ChainStep("accounter", ["mode": "time"])], outputs: [.log])
    let compiler = try compile(Self.request("activity"), chains: ["activity": chain])
    #expect(commands(compiler).suffix(2) == ["0b0209030160", "0b0209030124"])
    let logged = try #require(compiler.logs.planned.first?.logged(in: slots(compiler)))
    #expect(logged.slots == [0, 1])
    #expect(logged.fields.map(\.name) == ["activity_g"])
    let layout = try #require(SampleLayout(encoded: logged.layout))
    #expect(layout.hasTick && layout.byteCount == 6)
  }

  @Test func `what is logged is told in the catalogues words`() throws {
    func logged(_ name: String, _ keys: JSONObject = [:]) throws -> LoggedStream {
      let compiler = try compile(Self.request(name, keys))
      return try #require(compiler.logs.planned.first?.logged(in: slots(compiler)))
    }
    let acceleration = try logged("acceleration", ["range_g": 8, "record": true])
    #expect(acceleration.fields.map(\.name) == ["ax_g", "ay_g", "az_g"])
    #expect(acceleration.configuration["range_g"] == 8)
    #expect(acceleration.configuration["record"] == nil)
    #expect(SampleLayout(encoded: acceleration.layout)?.numbers?.scale == 4096)
    #expect(try logged("acceleration-z").fields.map(\.name) == ["az_g"])
    let detector = try logged("any-motion").fields
    #expect(detector == [.init("any_motion_flags", "", .integer)])
    #expect(try logged("temperature-die", ["every": "2m"]).period == .seconds(120))
  }

  private static let refused:
    [(name: String, keys: JSONObject, board: TestBoard, code: CommandFailure.Code)] =
      [
        ("illuminance", [:], .metaMotionRL, .unsupported), ("tap", [:], .metaMotionS, .unsupported),
        ("nothing", [:], .metaMotionS, .invalid), ("acceleration", ["rate_hz": 60], .metaMotionS, .invalid),
        // Trap T35.
        ("battery", ["every": "60s"], .metaMotionS, .unsupported),
        ("pressure", ["every": "60s"], .metaMotionS, .unsupported),
      ]

  @Test(arguments: refused.indices) func `refuses`(index: Int) throws {
    let (name, keys, board, code) = Self.refused[index]
    let failure = try #require(throws: CommandFailure.self) {
      try compile(Self.request(name, keys), on: board)
    }
    #expect(failure.code == code, "\(failure.message)")
  }

  @Test func `a buffer tells nothing to log`() throws {
    let chain = Chain(from: "switch", [ChainStep("counter"), ChainStep("buffer")], outputs: [])
    let failure = try #require(throws: CommandFailure.self) {
      try compile(Self.request("kept"), chains: ["kept": chain])
    }
    #expect(failure.code == .invalid)
  }
}
