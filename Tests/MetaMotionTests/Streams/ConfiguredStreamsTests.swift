import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Actions that start and stop sensors (MQTT contract 3.6); bytes from the protocol reference, sections 7 to 9 and 21
/// to 26.
@Suite struct ConfiguredStreamsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var board: TestBoard
    var stream: String
    var configuration: JSONObject = [:]
    var start: [String]
    var stop: [String]
    var testDescription: String { "\(board) \(stream) \(configuration)" }
  }

  private static let acceleration = (start: ["03020100", "030101"], stop: ["030100", "03020001"])
  private static let rotation = (start: ["13020100", "130101"], stop: ["130100", "13020001"])

  private static let cases: [Case] = [
    Case(board: .metaMotionS, stream: "acceleration", start: acceleration.start, stop: acceleration.stop),
    Case(
      board: .metaMotionRL, stream: "acceleration", configuration: ["rate_hz": 6.25],
      start: acceleration.start,
      stop: acceleration.stop),
    Case(board: .metaMotionS, stream: "angular-velocity", start: rotation.start, stop: rotation.stop),
    Case(board: .metaMotionRL, stream: "angular-velocity", start: rotation.start, stop: rotation.stop),
    Case(
      board: .metaMotionS, stream: "magnetic-field", start: ["15020100", "150101"],
      stop: ["150100", "15020001"]),
    Case(board: .metaMotionS, stream: "pressure", start: ["12040101"], stop: ["12040000"]),
    Case(board: .metaMotionS, stream: "illuminance", start: ["140101"], stop: ["140100"]),
    Case(
      board: .metaMotionS, stream: "quaternion", configuration: ["mode": "ndof"],
      start: ["03020100", "13020100", "15020100", "030101", "130101", "150101", "19030800", "190101"],
      stop: [
        "190100", "1903007f", "030100", "130100", "150100", "03020001", "13020001", "15020001",
      ]),
    Case(
      board: .metaMotionRL, stream: "gravity", configuration: ["mode": "compass"],
      start: ["03020100", "15020100", "030101", "150101", "19032000", "190101"],
      stop: ["190100", "1903007f", "030100", "150100", "03020001", "15020001"]),
    // A detector starts what it goes by, and stops alone: others may go by it, too.
    Case(board: .metaMotionRL, stream: "tap", start: ["030101", "030c0300"], stop: ["030c0003"]),
    Case(
      board: .metaMotionS, stream: "any-motion", start: ["030101", "03074000", "03064000"],
      stop: ["03070040", "03060040"]),
    Case(board: .metaMotionS, stream: "gpio-2-change", start: ["050b0201"], stop: ["050b0200"]),
  ]

  private static func configured(
    _ streams: [String: JSONObject], on board: TestBoard
  ) throws -> ConfiguredStreams {
    var requests: [StreamKey: StreamRequest] = [:]
    for (name, configuration) in streams {
      let definition = try #require(StreamCatalogue.find(name)?.stream)
      requests[StreamKey(requests.count)] = StreamRequest(
        name: name, configuration: try definition.configure(configuration).values)
    }
    var configured = ConfiguredStreams()
    configured.take(StreamSelection(requests, button: false, on: try board.inventory()))
    return configured
  }

  @Test(arguments: cases)
  func `an action is exactly what starts the sensor on this chip`(of test: Case) throws {
    let configured = try Self.configured([test.stream: test.configuration], on: test.board)
    #expect(try configured.packets(test.stream, isOn: true).map(\.hex) == test.start)
    #expect(try configured.packets(test.stream, isOn: false).map(\.hex) == test.stop)
  }

  @Test func `an event does it, packet by packet`() throws {
    let configured = try Self.configured(["acceleration": [:]], on: .metaMotionS)
    let program = BoardProgram(events: [
      "e": .init(.button(isPressed: nil), [BoardAction(.stream("acceleration", isOn: true))])
    ])
    let compiler = try ProgramCompiler(
      program, on: try TestBoard.metaMotionS.inventory(), streams: configured)
    let commands = compiler.keys.flatMap { compiler.resource($0, in: ResourceSlots())?.commands ?? [] }
    #expect(commands.map(\.hex) == ["0a020101ff030202", "0a030100", "0a020101ff030101", "0a0301"])
  }

  @Test func `a component stands for its whole`() throws {
    let configured = try Self.configured(["acceleration-x": [:]], on: .metaMotionS)
    #expect(try configured.packets("acceleration", isOn: true).map(\.hex) == Self.acceleration.start)
    #expect(try configured.packets("acceleration-z", isOn: false).map(\.hex) == Self.acceleration.stop)
  }

  @Test(
    arguments: [
      ("acceleration", "not configured"), ("temperature-die", "a timer do the action read"),
      ("switch", "no sensor to start or stop"),
    ])
  func `what no action can do says what to do instead`(stream: String, words: String) throws {
    let configured = try Self.configured(
      ["temperature-die": ["every": "1s"], "switch": [:]], on: .metaMotionS)
    for isOn in [true, false] {
      let failure = try #require(throws: CommandFailure.self) { try configured.packets(stream, isOn: isOn) }
      #expect(failure.code == .invalid)
      #expect(failure.message.contains(words), "\(failure.message)")
    }
  }

  @Test func `what packets stop falls silent, whoever wrote them`() throws {
    let configured = try Self.configured(
      ["acceleration-x": [:], "switch": [:], "pressure": [:]], on: .metaMotionS)
    #expect(configured.stopped(by: [[0x03, 0x01, 0x00]]) == ["acceleration"])
    #expect(configured.stopped(by: [[0x03, 0x01, 0x01], [0x02, 0x01, 0x00]]).isEmpty)
  }

  @Test func `a stream that ended stays configured, because the chip does`() throws {
    var configured = try Self.configured(["acceleration": [:]], on: .metaMotionS)
    configured.take(StreamSelection([:], button: false, on: try TestBoard.metaMotionS.inventory()))
    #expect(try configured.packets("acceleration", isOn: true).map(\.hex) == Self.acceleration.start)
  }
}
