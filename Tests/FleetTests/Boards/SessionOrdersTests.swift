import BoardKit
import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct SessionOrdersTests {
  private func orders(edit: (inout SessionOrders) -> Void = { _ in }) -> SessionOrders {
    let known = SessionOrders.Known(
      boots: BootRecord(count: 4, resetID: 7, bootTime: .at(0), seen: .at(0)), streams: [.acceleration(50)],
      program: ProgramRecord(bytes: [1], boot: 4),
      settings: SettingsDeclaration(document: ["tx_dbm": 4, "name": "Fan"]))
    let wanted = SessionOrders.Wanted(
      streams: ["acceleration": .acceleration(50)], button: false, program: ProgramDeclarations(),
      settings: SettingsDeclaration(document: ["tx_dbm": 4, "name": "Pump"]))
    var orders = SessionOrders(known: known, wanted: wanted)
    edit(&orders)
    return orders
  }

  private func interview(resetID: Int, bootTime: Timestamp) -> Interview {
    let description = BoardDescription(
      model: "Toy", modelNumber: "1", manufacturer: "", serialNumber: "", hardwareRevision: "",
      firmwareRevision: "1", imu: nil, modules: [:], slots: .init(), streams: [])
    return Interview(description: description, memory: [9], resetID: resetID, bootTime: bootTime)
  }

  @Test func `a board that was not reset runs what it was left with`() {
    var orders = orders()
    let hasRebooted = orders.take(interview(resetID: 7, bootTime: .at(5)), at: .at(60_000))
    #expect(!hasRebooted && orders.known.driverMemory == [9] && orders.known.boots.count == 4)
    #expect(orders.known.streams == [.acceleration(50)] && orders.trustedSettings == ["tx_dbm"])
    #expect(!orders.link.wantsSurvey)
  }

  @Test func `a reset takes streams and settings, and makes the slots worth a look unless the link is poor`()
  {
    var one = orders()
    let hasRebooted = one.take(interview(resetID: 8, bootTime: .at(60_000)), at: .at(90_000))
    #expect(hasRebooted && one.known.boots.count == 5)
    #expect(one.known.streams == [] && one.trustedSettings == [] && one.link.wantsSurvey)
    var poor = orders { $0.link.usesConservativeParameters = true }
    _ = poor.take(interview(resetID: 8, bootTime: .at(60_000)), at: .at(90_000))
    #expect(!poor.link.wantsSurvey)
  }

  @Test func `loggers that wait for a download stay, and need no sensor`() {
    let orders = orders {
      $0.logs.wanted = ["acceleration": .acceleration(100)]
      $0.logs.made = ["temperature-die": .temperature]
    }
    #expect(orders.program(nil).logs == orders.logs.wanted)
    let plan = LogPlan(
      wanted: orders.logs.wanted, isCircular: false, made: orders.logs.made,
      status: LogStatus(
        clock: ClockReading(clock: BoardTick(resetID: 7, tick: 1), time: .at(0), error: .zero), entries: 5,
        capacity: 100, isLogging: true, isCircular: false, recycledPages: nil),
      run: LogSession(
        id: .seeded(1), board: .number(1), started: .at(0), streams: [], boot: 4, resetID: 7), boot: 4)
    #expect(
      orders.program(plan).logs == [
        "acceleration": .acceleration(100), "temperature-die": .temperature,
      ])
    #expect(orders.sourcedProgram(plan).logs == ["acceleration": .acceleration(100)])
  }

  @Test func `the stream of a chain can be asked for once the board has the chain`() {
    let orders = orders { $0.wanted.streams["calm"] = StreamRequest(name: "calm", configuration: [:]) }
    let program = BoardProgram(chains: ["calm": Chain(from: "acceleration", [ChainStep("rms")])])
    #expect(orders.streams(of: program, present: []) == ["acceleration": .acceleration(50)])
    #expect(orders.streams(of: program, present: [ChainStream(name: "calm")]) == orders.wanted.streams)
  }
}
