import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct ChainCompilerTests {
  static let activity = Chain(
    from: "acceleration",
    [
      ChainStep("rms"), ChainStep("average", ["depth": 16]),
      ChainStep("threshold", ["boundary": 0.5, "hysteresis": 0, "mode": "binary"], units: ["boundary": "g"]),
    ], configuration: ["range_g": 8])

  private func compile(
    _ chains: [String: Chain], on board: TestBoard = .metaMotionS
  ) throws -> ChainCompiler { try ChainCompiler(chains, on: try board.inventory()) }

  private func refusal(_ chains: [String: Chain], on board: TestBoard = .metaMotionS) throws
    -> CommandFailure?
  {
    do { _ = try compile(chains, on: board) } catch let failure as CommandFailure { return failure }
    return nil
  }

  /// Creations as they would be if the board gave slots in order.
  private func commands(_ compiler: ChainCompiler) -> [String] {
    var slots = ResourceSlots()
    return compiler.planned.enumerated().map { index, planned in
      let command = planned.definition(in: slots)?.command.hex ?? "?"
      slots[planned.key] = UInt8(index)
      return command
    }
  }

  @Test func `steps follow each other`() throws {
    let compiler = try compile(["activity": Self.activity])
    #expect(
      commands(compiler) == [
        "09020304ffa007a500", "0902090300200305" + "1000", "0902090301200d09000800000000",
      ])
    #expect(compiler.output(of: "activity")?.output.numbers == .plain(1, isSigned: true))
  }

  @Test func `chains follow those they build on`() throws {
    let compiler = try compile([
      "a": Chain(from: "b", [ChainStep("counter", ["size": 1])]),
      "b": Chain(from: "switch", [ChainStep("counter", ["size": 4])]),
    ])
    #expect(commands(compiler) == ["09020101ff000213", "090209030060021c"])
  }

  @Test func `a fuser brings its buffers`() throws {
    let fused = Chain(from: "acceleration", [ChainStep("fuser", ["with": ["angular-velocity"]])])
    let compiler = try compile(["fused": fused])
    #expect(commands(compiler) == ["09021304ffa00f05", "09020304ffa01b01000000000000000000000000"])
    #expect(compiler.places["fused"] == [1])
    #expect(compiler.output(of: "fused")?.output.byteCount == 12)
  }

  @Test func `reads reach processors by the way of the firmware (trap T51)`() throws {
    let chain = Chain(from: "temperature-die", [ChainStep("average", ["depth": 4])], every: .seconds(60))
    let compiler = try compile(["smooth": chain])
    #expect(commands(compiler) == ["09020481002003050400"])
    #expect(compiler.polls["smooth"]?.address.bytes == bytes("048100"))
    let old = try compile(["smooth": chain], on: TestBoard.metaMotionR)
    #expect(commands(old).first?.hasPrefix("0902048100") == true)
    var older = TestBoard.metaMotionR
    older.firmware = "1.1.3"
    #expect(try commands(compile(["smooth": chain], on: older)) == ["090204c10020030504"])
  }

  @Test func `F269 one timer reads for all chains on a source, so that each gets every reading once`() throws
  {
    let count = [ChainStep("counter", ["size": 1])]
    func chains(_ every: Duration) -> [String: Chain] {
      [
        "a": Chain(from: "temperature-die", count, every: .seconds(60)),
        "b": Chain(from: "temperature-die", count, every: every),
        "c": Chain(from: "gpio-1-adc", count, every: .seconds(1)),
        "d": Chain(from: "gpio-2-adc", count, every: .seconds(2)),
      ]
    }
    let compiler = try compile(chains(.seconds(60)))
    #expect(compiler.polls.keys.sorted() == ["a", "c", "d"])
    #expect(compiler.planned.count == 4)
    let failure = #expect(throws: CommandFailure.self) { try compile(chains(.seconds(30))) }
    #expect(failure?.code == .invalid && failure?.message.contains("a asks for every 1m") == true)
  }

  private static let refused: [(chains: [String: Chain], code: CommandFailure.Code, words: String)] = [
    (["a": Chain(from: "warp", [ChainStep("rms")])], .invalid, "warp"),
    (["a": Chain(from: "a", [ChainStep("rms")])], .invalid, "builds on"),
    (
      ["a": Chain(from: "b", [ChainStep("rms")]), "b": Chain(from: "a", [ChainStep("rms")])], .invalid,
      "builds on"
    ),
    (["a": Chain(from: "temperature-die", [ChainStep("counter", ["size": 1])])], .invalid, "every"),
    (["a": Chain(from: "switch", [ChainStep("rms")])], .invalid, "vector"),
    (["a": Chain(from: "quaternion", [ChainStep("average", ["depth": 2])])], .invalid, "fractions"),
    (
      [
        "a": Chain(
          from: "acceleration",
          [ChainStep("fuser", ["with": ["angular-velocity", "magnetic-field"]])])
      ], .invalid, "18 bytes"
    ),
    (
      [
        "a": Chain(from: "acceleration-x", [ChainStep("threshold", ["boundary": 1], units: ["boundary": ""])])
      ],
      .invalid, "boundary_g"
    ),
    (
      ["a": Chain(from: "switch", [ChainStep("threshold", ["boundary": 1], units: ["boundary": "g"])])],
      .invalid, "takes boundary here"
    ),
    (
      [
        "a": Chain(
          from: "switch", [ChainStep("pulse", ["threshold": 1, "samples": 1, "output": "peak"])])
      ], .unsupported, "1.7"
    ),
    (["a": Chain(from: "acceleration", [ChainStep("packer", ["count": 3])])], .invalid, "18 bytes"),
    (["a": Chain(from: "acceleration-x", [ChainStep("math", ["op": "add"])])], .invalid, "needs value"),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (chains, code, words) = Self.refused[index]
    let failure = try #require(try refusal(chains))
    #expect(failure.code == code)
    #expect(failure.message.contains(words), "\(failure.message)")
  }

  @Test func `revisions gate types`() throws {
    let highPass = ["a": Chain(from: "acceleration", [ChainStep("high-pass", ["depth": 4])])]
    #expect(try refusal(highPass) == nil)
    #expect(try refusal(highPass, on: TestBoard.metaMotionR)?.code == .unsupported)
  }

  @Test(
    arguments: [
      ("acceleration", "0304ffa0"), ("acceleration-y", "0304ff22"), ("battery-mv", "11ccff21"),
      ("quaternion-w", "1907ff60"), ("euler-yaw", "1908ff6c"), ("gpio-1-voltage", "05c60120"),
      ("gpio-1-change", "050a0100"), ("temperature-die", "04c10020"), ("acceleration-w", nil),
      ("gpio-9-adc", nil),
      ("temperature-warp", nil), ("gpio-x", nil), ("humidity", nil), ("", nil), ("-", nil),
    ] as [(String, String?)])
  func `streams and their components are signals`(stream: String, hex: String?) throws {
    let signal = try TestBoard.metaMotionS.inventory().signal(of: stream)
    #expect(signal.map { ($0.address.bytes + [$0.slice.byte]).hex } == hex)
  }

  private static let named: [(chains: [String: Chain], names: [String], units: [String])] = [
    (
      ["fused": Chain(from: "acceleration", [ChainStep("fuser", ["with": ["angular-velocity"]])])],
      ["ax_g", "ay_g", "az_g", "gx_dps", "gy_dps", "gz_dps"].map { "fused_" + $0 },
      ["g", "g", "g", "°/s", "°/s", "°/s"]
    ),
    (
      [
        "fused": Chain(from: "acceleration-x", [ChainStep("fuser", ["with": ["key-presses"]])]),
        "key-presses": Chain(from: "switch", [ChainStep("counter", ["size": 1])]),
      ], ["fused_ax_g", "fused_key_presses"], ["g", ""]
    ),
    (
      ["fused": Chain(from: "corrected-acceleration", [ChainStep("time", ["period_ms": 100])])],
      ["fused_x_g", "fused_y_g", "fused_z_g", "fused_accuracy"], ["g", "g", "g", ""]
    ),
    (
      ["fused": Chain(from: "euler", [ChainStep("time", ["period_ms": 100])])],
      ["heading", "pitch", "roll", "yaw"].map { "fused_\($0)_deg" }, ["°", "°", "°", "°"]
    ),
    (
      ["fused": Chain(from: "battery", [ChainStep("buffer")], every: .seconds(60))],
      ["fused_pct", "fused_mv"], ["%", "mV"]
    ),
  ]

  @Test(arguments: named.indices)
  func `unlike values keep their keys (MQTT contract 2.5)`(index: Int) throws {
    let (chains, names, units) = Self.named[index]
    let fields = try #require(try compile(chains).fields(of: "fused")).fields
    #expect(fields.map(\.name) == names)
    #expect(fields.map(\.unit) == units)
  }

  @Test(
    arguments: [(2.0, 5), (4, 5), (8, 5), (16, 5)])
  func `digits tell at least four steps per count (MQTT contract 0)`(range: Double, digits: Int) throws {
    let chain = Chain(from: "acceleration", [ChainStep("rms")], configuration: ["range_g": .number(range)])
    let field = try #require(try compile(["calm": chain]).fields(of: "calm")?.fields.first)
    #expect(field == StreamDefinition.Field("calm_g", "g", .number, decimals: digits))
  }

  @Test func `fields are named as the contract says`() {
    let three = SampleLayout.numbers(Numbers(channels: 3, width: 2, isSigned: true, scale: 8, unit: .g))
    #expect(ChainFields("smooth", three).names == ["smooth_x_g", "smooth_y_g", "smooth_z_g"])
    let counted = SampleLayout.prefixed(.init(kind: .number, width: 1), .numbers(.plain(1)))
    #expect(ChainFields("key-presses", counted).names == ["key_presses_number", "key_presses"])
    let timed = SampleLayout.prefixed(.init(kind: .tick, width: 4), .packed(2, .numbers(.plain(1))))
    #expect(ChainFields("a", timed).names == ["a"])
  }
}
