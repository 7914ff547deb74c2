import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct StreamPlanTests {
  private func running(_ rate: Double, _ range: Double, packed: Bool) throws -> BoardSetup {
    let configuration = try #require(AccelerationConfiguration(rateHz: rate, rangeG: range))
    return BoardSetup(acceleration: .init(configuration: configuration, isPacked: packed))
  }

  private func plan(
    _ known: BoardSetup?, _ wanted: BoardSetup, on board: TestBoard = .metaMotionS
  ) throws -> StreamPlan {
    StreamPlan(from: known, to: wanted, on: try board.inventory())
  }

  private let nothing = BoardSetup()

  @Test func startsInTheOrderOfTheReference() throws {
    let bmi270 = try plan(nothing, running(100, 4, packed: true))
    #expect(bmi270.stop.isEmpty)
    #expect(bmi270.start.map(\.hex) == ["0303a801", "030501", "03020100", "030101"])
    #expect(bmi270.startsSampling && !bmi270.stopsSampling)
    let bmi160 = try plan(nothing, running(6.25, 16, packed: false), on: .metaMotionRL)
    #expect(bmi160.start.map(\.hex) == ["0303840c", "030401", "03020100", "030101"])
  }

  @Test func stopsInReverse() throws {
    let packed = try plan(running(100, 4, packed: true), nothing, on: .metaMotionRL)
    #expect(packed.stop.map(\.hex) == ["030100", "03020001", "031c00"])
    #expect(packed.start.isEmpty)
    #expect(packed.stopsSampling && !packed.startsSampling)
    let plain = try plan(running(100, 4, packed: false), nothing, on: .metaMotionRL)
    #expect(plain.stop.map(\.hex) == ["030100", "03020001", "030400"])
  }

  @Test func reconfiguresByStoppingAndStarting() throws {
    let plan = try plan(running(100, 4, packed: true), running(100, 8, packed: false))
    #expect(plan.stop.map(\.hex) == ["030100", "03020001", "030500"])
    #expect(plan.start.map(\.hex) == ["0303a802", "030401", "03020100", "030101"])
  }

  @Test func equalSetupsGiveNoWrites() throws {
    var setup = try running(100, 4, packed: true)
    setup.subscriptions = [Switch.state, PowerSupply.powerStatus]
    for board in TestBoard.all {
      #expect(try plan(setup, setup, on: board).isEmpty)
      #expect(try plan(nothing, nothing, on: board).isEmpty)
    }
  }

  @Test func onlyTheDifferenceOfSubscriptionsIsWritten() throws {
    let old = BoardSetup(subscriptions: [Switch.state, PowerSupply.powerStatus])
    let new = BoardSetup(subscriptions: [PowerSupply.powerStatus, PowerSupply.chargeStatus])
    let plan = try plan(old, new)
    #expect(plan.stop.map(\.hex) == ["010100"])
    #expect(plan.start.map(\.hex) == ["111201"])
    #expect(!plan.stopsSampling && !plan.startsSampling)
  }

  @Test(
    "F55 subscriptions outlive the link: the first plan switches off all that an earlier session may have begun"
  )
  func unknownBoards() throws {
    #expect(
      try plan(nil, nothing).stop.map(\.hex)
        == ["030100", "03020001", "030400", "030500", "010100", "111100", "111200"])
    #expect(
      try plan(nil, nothing, on: .metaMotionR).stop.map(\.hex)
        == ["030100", "03020001", "030400", "031c00", "010100"])
    var wanted = try running(50, 4, packed: true)
    wanted.subscriptions = [Switch.state]
    let plan = try plan(nil, wanted)
    #expect(
      plan.stop.map(\.hex) == ["030100", "03020001", "030400", "030500", "111100", "111200"])
    #expect(plan.start.map(\.hex) == ["0303a701", "030501", "03020100", "030101", "010101"])
  }

  @Test func nothingIsWrittenToModulesThatAreNotThere() throws {
    let bare = TestBoard.metaMotionS.with("0180 0380 1180")
    #expect(try plan(nil, nothing, on: bare).isEmpty)
  }

  /// Whatever runs and whatever is wanted: carrying out the plan leaves exactly what is wanted.
  @Test func everyPlanEndsAtItsTarget() throws {
    var setups: [BoardSetup] = [nothing]
    for packed in [true, false] {
      for subscriptions in [[], [Switch.state], [Switch.state, PowerSupply.chargeStatus]] as [Set<Register>] {
        var setup = try running(200, 2, packed: packed)
        setup.subscriptions = subscriptions
        setups += [setup, BoardSetup(subscriptions: subscriptions)]
      }
    }
    for known in setups {
      for wanted in setups {
        let plan = try plan(known, wanted)
        var board = FakeRegisters(running: known)
        board.carryOut(plan)
        #expect(board == FakeRegisters(running: wanted), "\(known) → \(wanted)")
        var unknown = FakeRegisters(running: known)
        unknown.carryOut(try self.plan(nil, wanted))
        #expect(unknown == FakeRegisters(running: wanted), "? \(known) → \(wanted)")
      }
    }
  }
}

/// As much of a board as shows what writes did: which registers are on.
private struct FakeRegisters: Equatable {
  private var on: Set<[UInt8]> = []

  init(running setup: BoardSetup) {
    if let acceleration = setup.acceleration {
      on = [bytes("0301"), bytes("0302"), bytes(acceleration.isPacked ? "0305" : "0304")]
    }
    for register in setup.subscriptions { on.insert(Array(register.subscribe.prefix(2))) }
  }

  mutating func carryOut(_ plan: StreamPlan) {
    for write in plan.stop + plan.start where write[0...1] != [0x03, 0x03] {
      if write[2] == 1 { on.insert(Array(write.prefix(2))) } else { on.remove(Array(write.prefix(2))) }
    }
  }
}
