import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct StreamPlanTests {
  /// What a board runs for these streams.
  private func setup(
    _ streams: [(String, JSONObject)], on board: TestBoard = .metaMotionS
  ) throws -> RunningSensors {
    let wanted = streams.enumerated().map {
      (StreamKey($0), StreamRequest(name: $1.0, configuration: $1.1))
    }
    let selection = StreamSelection(
      Dictionary(uniqueKeysWithValues: wanted), button: false, on: try board.inventory())
    #expect(selection.refused == [:])
    return selection.setup
  }

  private func acceleration(_ rate: Int64, _ range: Int64, packed: String) -> (String, JSONObject) {
    ("acceleration", ["rate_hz": .integer(rate), "range_g": .integer(range), "packed": .string(packed)])
  }

  private func plan(
    _ known: RunningSensors?, _ wanted: RunningSensors, begun: RunningSensors = RunningSensors(),
    on board: TestBoard = .metaMotionS
  ) throws -> StreamPlan {
    StreamPlan(
      from: known, to: wanted, leftOver: StreamSources(on: try board.inventory()).leftOver, begun: begun)
  }

  private func hex(_ steps: [BoardStep]) -> [String] {
    steps.map {
      switch $0 {
      case .write(let packet): packet.hex
      case .pause(let duration): "\(duration)"
      }
    }
  }

  private let nothing = RunningSensors()

  @Test func `starts in the order of the reference`() throws {
    let bmi270 = try plan(nothing, setup([acceleration(100, 4, packed: "on")]))
    #expect(bmi270.stop.isEmpty)
    #expect(hex(bmi270.start) == ["0303a801", "030501", "03020100", "030101"])
    let bmi160 = try plan(
      nothing, setup([acceleration(25, 16, packed: "off")], on: .metaMotionRL), on: .metaMotionRL)
    #expect(hex(bmi160.start) == ["0303260c", "030401", "03020100", "030101"])
  }

  @Test func `stops in reverse`() throws {
    let packed = try plan(
      setup([acceleration(100, 4, packed: "on")], on: .metaMotionRL), nothing, on: .metaMotionRL)
    #expect(hex(packed.stop) == ["030100", "03020001", "031c00"])
    #expect(packed.start.isEmpty)
    let both = try plan(setup([acceleration(100, 4, packed: "off"), ("angular-velocity", [:])]), nothing)
    #expect(hex(both.stop) == ["130100", "13020001", "130500", "030100", "03020001", "030400"])
  }

  @Test func `reconfigures by stopping and starting`() throws {
    let plan = try plan(
      setup([acceleration(100, 4, packed: "on")]), setup([acceleration(100, 8, packed: "off")]))
    #expect(hex(plan.stop) == ["030100", "03020001", "030500"])
    #expect(hex(plan.start) == ["0303a802", "030401", "03020100", "030101"])
  }

  @Test func `whoever else hears of a sensor, or no longer does, does not disturb it`() throws {
    let sensor = StreamRequest(
      name: "acceleration", configuration: ["rate_hz": 100], consumer: .chain("calm"))
    let chained = StreamSelection(
      [StreamKey(0): sensor], button: false, on: try TestBoard.metaMotionS.inventory()
    ).setup
    let streamed = try setup([acceleration(100, 4, packed: "on")])
    let begins = try plan(chained, streamed)
    #expect(begins.stop == [])
    #expect(hex(begins.start) == ["030501"])
    let ends = try plan(streamed, chained)
    #expect(hex(ends.stop) == ["030500"])
    #expect(ends.start == [])
  }

  @Test func `26.2, 26.3 fusion configures and starts its chips, and rests between two runs`() throws {
    let ndof = try setup([("quaternion", [:]), ("euler", [:])])
    let start = try plan(nothing, ndof)
    #expect(
      hex(start.start) == [
        "19020113", "0303a803", "13032800", "150100", "0.2 seconds", "1504040e", "150306", "190701", "190801",
        "03020100", "13020100", "15020100", "030101", "130101", "150101", "19031800", "190101",
      ])
    let change = try plan(ndof, setup([("quaternion", [:])]))
    #expect(
      hex(change.stop) == [
        "190100", "1903007f", "030100", "130100", "150100", "03020001", "13020001", "15020001", "190700",
        "190800", "0.5 seconds",
      ])
  }

  @Test func `what rests on the accelerometer is begun anew with it, and nothing else is`() throws {
    let board = TestBoard.metaMotionS
    let before = try setup([acceleration(100, 4, packed: "off"), ("activity", [:]), ("pressure", [:])])
    let after = try setup([acceleration(100, 8, packed: "off"), ("activity", [:]), ("pressure", [:])])
    let plan = try plan(before, after, on: board)
    #expect(hex(plan.stop) == ["03070004", "03060004", "030100", "03020001", "030400"])
    #expect(hex(plan.start) == ["0303a802", "030401", "03020100", "030101", "03070400", "03060400"])
  }

  @Test func `equal setups give no writes`() throws {
    for board in TestBoard.all {
      let setup = try setup([acceleration(100, 4, packed: "on"), ("switch", [:])], on: board)
      #expect(try plan(setup, setup, on: board).isEmpty)
      #expect(try plan(nothing, nothing, on: board).isEmpty)
    }
  }

  @Test func `only the difference of subscriptions is written`() throws {
    let plan = try plan(
      setup([("switch", [:]), ("power-status", [:])]), setup([("power-status", [:]), ("charge-status", [:])]))
    #expect(hex(plan.stop) == ["010100"])
    #expect(hex(plan.start) == ["111201"])
  }

  @Test(
    arguments: TestBoard.all)
  func
    `F55 subscriptions outlive the link: the first plan switches off all that an earlier session may have begun`(
      board: TestBoard
    ) throws
  {
    let inventory = try board.inventory()
    let stop = try plan(nil, nothing, on: board).stop
    // Whatever a stream of this board starts or subscribes, the first plan ends.
    for stream in inventory.description.streams {
      let keys: JSONObject = stream.name == "magnetic-alarm" ? ["low_ut": 6] : [:]
      let request = StreamRequest(name: stream.name, configuration: keys)
      let setup = StreamSelection([StreamKey(0): request], button: true, on: inventory).setup
      for register in setup.registers {
        #expect(stop.contains(.write(register.unsubscribe)), "\(stream.name)")
      }
    }
    // Sensors may run for somebody else (fault F105).
    #expect(
      Set(hex(stop)).isDisjoint(with: ["030100", "03020001", "130100", "13020001", "190100", "1903007f"]))
    let begun = try setup([("quaternion", [:])], on: board)
    let ours = try plan(nil, nothing, begun: begun, on: board).stop
    #expect(
      Set(hex(ours)).isSuperset(of: ["030100", "03020001", "130100", "13020001", "190100", "1903007f"]))
  }

  @Test func `nothing is written to modules that are not there`() throws {
    let bare = TestBoard.metaMotionS.with("0180 0380 0580 1180 1280 1380 1480 1580 1980")
    #expect(try plan(nil, nothing, on: bare).isEmpty)
  }

  /// Whatever runs and whatever is wanted: carrying out the plan leaves exactly what is wanted.
  @Test func `every plan ends at its target`() throws {
    let choices: [[(String, JSONObject)]] = [
      [], [acceleration(200, 2, packed: "on")], [acceleration(200, 2, packed: "off"), ("switch", [:])],
      [("quaternion", [:])], [("quaternion", [:]), ("gravity", [:]), ("any-motion", [:])],
      [("any-motion", [:]), ("no-motion", [:]), ("steps", [:])],
      [("pressure", [:]), ("altitude", [:]), ("magnetic-field", [:])],
      [("gpio-1-change", [:]), ("gpio-2-change", [:])], [("gpio-2-change", [:])],
      [("magnetic-alarm", ["low_ut": 6]), ("angular-velocity", [:]), ("illuminance", [:])],
    ]
    let setups = try choices.map { try setup($0) }
    for known in setups {
      for wanted in setups {
        var board = FakeRegisters(running: known)
        board.carryOut(try plan(known, wanted))
        #expect(board == FakeRegisters(running: wanted))
        var unknown = FakeRegisters(running: known)
        unknown.carryOut(try plan(nil, wanted, begun: known))
        #expect(unknown.ignoringPins == FakeRegisters(running: wanted).ignoringPins)
      }
    }
  }
}

/// As much of a board as shows what writes did: which registers are on, and which bits of the masks.
private struct FakeRegisters: Equatable {
  private var state: [[UInt8]: UInt8] = [:]
  /// Registers whose writes are two masks, set and clear.
  private static let masks: Set<[UInt8]> = [
    [0x03, 0x02], [0x03, 0x06], [0x03, 0x07], [0x13, 0x02], [0x15, 0x02], [0x15, 0x06], [0x19, 0x03],
  ]
  /// Registers that switch something on.
  private static let switches: Set<[UInt8]> = [
    [0x03, 0x01], [0x13, 0x01], [0x15, 0x01], [0x19, 0x01], [0x12, 0x04], [0x14, 0x01],
  ]

  init(running setup: RunningSensors) {
    for run in setup.ordered {
      run.registers.forEach { write($0.subscribe) }
      run.start.forEach { write($0) }
    }
  }

  mutating func carryOut(_ plan: StreamPlan) {
    let settings = plan.started.flatMap(\.configure)
    for case .write(let packet) in plan.stop + plan.start where !settings.contains(.write(packet)) {
      write(packet)
    }
  }

  private mutating func write(_ packet: [UInt8]) {
    let header = Array(packet.prefix(2))
    if Self.masks.contains(header) {
      state[header] = (state[header] ?? 0 | packet[2]) & ~packet[3] | packet[2]
    } else if header == [0x05, 0x0B] {
      state[header + [packet[2]]] = packet[3]
    } else if Self.switches.contains(header) || packet.count == 3 {
      state[header] = packet[2]
    }
    state = state.filter { $0.value != 0 }
  }

  /// Which pins are watched; a board whose state nobody knows keeps watching them without telling.
  var ignoringPins: FakeRegisters {
    var copy = self
    copy.state = state.filter { $0.key.count == 2 }
    return copy
  }
}
