import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct StreamSelectionTests {
  private func select(
    _ streams: [(String, JSONObject)], button: Bool = false, on board: TestBoard = .metaMotionS
  ) throws -> StreamSelection {
    var wanted: [StreamKey: StreamRequest] = [:]
    for (index, (name, configuration)) in streams.enumerated() {
      wanted[StreamKey(index)] = StreamRequest(name: name, configuration: configuration)
    }
    return StreamSelection(wanted, button: button, on: try board.inventory())
  }

  @Test(
    arguments: [
      ("auto", 100.0, true), ("auto", 12.5, true), ("auto", 6.25, false), ("on", 6.25, true),
      ("off", 100, false),
    ])
  func `packed follows the rate unless it is said`(packed: String, rate: Double, isPacked: Bool) throws {
    let selection = try select([
      ("acceleration", ["rate_hz": .number(rate), "range_g": 4, "packed": .string(packed)])
    ])
    #expect(
      selection.setup.registers == [isPacked ? Register(.accelerometer, 5) : Accelerometer.data])
    #expect(selection.active.first?.request.configuration["packed"] == (isPacked ? "on" : "off"))
  }

  @Test func `packed is unsupported where the firmware cannot`() throws {
    let old = TestBoard.metaMotionR.with("03800100")
    let on = try select([("acceleration", ["packed": "on"])], on: old)
    #expect(on.refused[StreamKey(0)]?.code == .unsupported)
    #expect(on.active.isEmpty)
    #expect(on.setup == RunningSensors())
    let auto = try select([("acceleration", ["rate_hz": 100])], on: old)
    #expect(auto.setup.registers == [Accelerometer.data])
  }

  @Test func `the effective configuration is complete`() throws {
    let active = try #require(try select([("acceleration", ["rate_hz": 100])]).active.first)
    #expect(active.request.configuration["range_g"] == 4)
    #expect(active.request.configuration["record"] == true)
    #expect(active.period == .milliseconds(10))
    #expect(!active.isPolled)
  }

  @Test(
    arguments: [
      (TestBoard.metaMotionS, Duration.milliseconds(20), Duration.milliseconds(40)),
      (.metaMotionRL, .milliseconds(10), .milliseconds(10)),
    ])
  func `what a BMI270 thins out comes so much less often`(
    board: TestBoard, acceleration: Duration, rotation: Duration
  ) throws {
    var inventory = try board.inventory()
    inventory.downsampling = Downsampling(acceleration: 1, gyroscope: 2)
    let names = ["acceleration", "angular-velocity"]
    let wanted = names.enumerated().map {
      (StreamKey($0.offset), StreamRequest(name: $0.element, configuration: ["rate_hz": 100]))
    }
    let selection = StreamSelection(
      Dictionary(uniqueKeysWithValues: wanted), button: false, on: inventory)
    #expect(selection.active.map(\.period) == [acceleration, rotation], "\(selection.refused)")
  }

  @Test func `components share the stream of their vector`() throws {
    let selection = try select([
      ("acceleration-y", ["rate_hz": 100]), ("acceleration", ["rate_hz": 100]),
      ("acceleration-z", ["rate_hz": 100]),
    ])
    #expect(selection.refused.isEmpty)
    #expect(selection.active.map(\.key.index) == [0, 1, 2])
    #expect(selection.setup.runs.count == 1)
  }

  @Test func `the first of two configurations counts`() throws {
    let selection = try select([
      ("acceleration-y", ["rate_hz": 100]), ("acceleration", ["rate_hz": 50]),
      ("acceleration-x", ["rate_hz": 100, "range_g": 8]),
      ("acceleration-z", ["rate_hz": 100, "live_rate_hz": 1]),
    ])
    #expect(selection.active.map(\.key.index) == [0, 3])
    #expect(Set(selection.refused.keys.map(\.index)) == [1, 2])
    let failure = try #require(selection.refused[StreamKey(1)])
    #expect(failure.code == .invalid)
    #expect(failure.message.contains("100 Hz, 4 g, packed on"))
  }

  @Test func `readable streams are polled`() throws {
    let selection = try select([
      ("battery", [:]), ("temperature-die", ["every": "10s"]), ("switch", ["every": "1s"]),
      ("battery-mv", [:]),
      ("temperature-external", ["data_pin": 0, "pulldown_pin": 1]),
    ])
    #expect(selection.refused.isEmpty)
    #expect(!selection.active.contains { !$0.isPolled })
    #expect(
      selection.active.map(\.period) == [.seconds(60), .seconds(10), .seconds(1), .seconds(60), .seconds(60)])
    #expect(selection.setup == RunningSensors())
  }

  @Test func `states are notified`() throws {
    let selection = try select([("switch", [:]), ("power-status", [:]), ("charge-status", [:])])
    #expect(selection.active.allSatisfy { !$0.isPolled && $0.period == nil })
    #expect(
      selection.setup.registers == [
        Switch.state, PowerSupply.powerStatus.register, PowerSupply.chargeStatus.register,
      ])
  }

  @Test func `the button needs the switch and no stream`() throws {
    let selection = try select([], button: true)
    #expect(selection.setup == RunningSensors([SwitchSource.run]))
    let without = try select([], button: true, on: .metaMotionS.with("0180"))
    #expect(without.setup == RunningSensors())
  }

  @Test(arguments: ["temperature-bmp280", "pressure", "", "acceleration-w", "temperature-"])
  func `what a board lacks is unsupported`(name: String) throws {
    let selection = try select([(name, [:])], on: .metaMotionRL)
    let failure = try #require(selection.refused[StreamKey(0)])
    #expect(failure.code == .unsupported)
    #expect(failure.message.contains("MetaMotion RL"))
  }

  @Test func `wrong configurations are invalid`() throws {
    let selection = try select([
      ("acceleration", ["rate_hz": 60]), ("battery", ["every": "soon"]), ("temperature-external", [:]),
      ("switch", ["rate_hz": 1]),
    ])
    #expect(selection.refused.values.map(\.code) == [.invalid, .invalid, .invalid, .invalid])
    #expect(selection.active.isEmpty)
  }

  /// What is wanted, in the order of keys; `chain` marks what only has to run for one.
  private func judge(
    _ requests: [StreamRequest], chains: [String: ChainOutput] = [:], on board: TestBoard = .metaMotionS
  ) throws -> StreamSelection {
    let wanted = Dictionary(uniqueKeysWithValues: requests.enumerated().map { (StreamKey($0), $1) })
    return StreamSelection(wanted, chains: chains, button: false, on: try board.inventory())
  }

  private func chainSensor(_ name: String, _ configuration: JSONObject = [:]) -> StreamRequest {
    StreamRequest(name: name, configuration: configuration, consumer: .chain("calm"))
  }

  @Test(
    arguments: [
      "acceleration", "angular-velocity", "magnetic-field", "quaternion", "pressure", "altitude",
      "illuminance",
      "gpio-1-change", "euler-yaw",
    ])
  func `a chain's sensor runs as it does for a stream, but is not heard`(name: String) throws {
    let streamed = try judge([StreamRequest(name: name, configuration: [:])], on: Self.full)
    let selection = try judge([chainSensor(name)], on: Self.full)
    #expect(selection.refused.isEmpty && selection.active.isEmpty)
    #expect(selection.setup.registers.isEmpty)
    #expect(!selection.setup.ordered.flatMap(\.start).isEmpty)
    #expect(selection.setup.ordered.flatMap(\.start) == streamed.setup.ordered.flatMap(\.start))
    #expect(selection.setup.ordered.flatMap(\.configure) == streamed.setup.ordered.flatMap(\.configure))
    // Beside the stream it makes no difference.
    let both = try judge([chainSensor(name), StreamRequest(name: name, configuration: [:])], on: Self.full)
    #expect(both.refused.isEmpty)
    #expect(both.setup == streamed.setup)
    #expect(both.active.map(\.key.index) == [1])
  }

  private static let full = TestBoard.metaMotionS.with("14800000")

  @Test func `chains do not care how samples travel to the host`() throws {
    let stream = StreamRequest(name: "acceleration", configuration: ["packed": "off"])
    for requests in [
      [chainSensor("acceleration"), stream], [stream, chainSensor("acceleration", ["packed": "on"])],
    ] {
      let selection = try judge(requests)
      #expect(selection.refused.isEmpty)
      #expect(selection.setup.registers == [Accelerometer.data])
    }
  }

  @Test(
    arguments: [
      ("acceleration", ["rate_hz": 100], "acceleration", ["rate_hz": 50]),
      ("acceleration", [:], "quaternion", [:]),
      ("gpio-1-change", ["edge": "rising"], "gpio-1-change", [:]),
      ("quaternion", ["mode": "ndof"], "euler", ["mode": "m4g"]),
    ] as [(String, JSONObject, String, JSONObject)])
  func `who comes later goes by what is there (MQTT contract 2.2)`(
    first: String, _ keys: JSONObject, second: String, _ others: JSONObject
  ) throws {
    let chainFirst = try judge([chainSensor(first, keys), StreamRequest(name: second, configuration: others)])
    #expect(chainFirst.refused.keys.map(\.index) == [1])
    #expect(chainFirst.active.isEmpty)
    #expect(chainFirst.refused.values.first?.code == .invalid)
    let streamFirst = try judge([
      StreamRequest(name: first, configuration: keys), chainSensor(second, others),
    ])
    #expect(streamFirst.refused.keys.map(\.index) == [1])
    #expect(streamFirst.refused.values.first?.message.contains("\(second) of the chain calm") == true)
    #expect(streamFirst.setup == (try judge([StreamRequest(name: first, configuration: keys)])).setup)
  }

  @Test func `a chain is a stream by its name, before any detector of that name`() throws {
    let fields = [StreamDefinition.Field("activity", "", .integer)]
    let output = ChainOutput(
      slot: 4, layout: .numbers(.plain(1)), stream: ChainStream(name: "activity", fields: fields))
    let request = StreamRequest(name: "activity", configuration: ["record": true])
    let selection = try judge([request], chains: ["activity": output])
    #expect(selection.refused.isEmpty)
    #expect(selection.active.map(\.fields) == [fields])
    #expect(selection.setup.runs.keys.elementsEqual([.processor(4)]))
    // It is listened to before its sensor begins, and let go of after that.
    let chained = try judge([request, chainSensor("acceleration")], chains: ["activity": output])
    let plan = StreamPlan(from: RunningSensors(), to: chained.setup, leftOver: [])
    #expect(plan.started.map(\.unit) == [.processor(4), .accelerometer])
  }
}
