import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct SettingsPlanTests {
  private func plan(
    on board: TestBoard = .metaMotionS, _ change: (inout BoardSettings) -> Void
  ) throws -> SettingsPlan {
    var settings = BoardSettings()
    change(&settings)
    return try SettingsPlan(settings, on: try board.inventory())
  }

  private func refusal(
    on board: TestBoard, _ change: (inout BoardSettings) -> Void
  ) throws -> CommandFailure? {
    do { _ = try plan(on: board, change) } catch let failure as CommandFailure { return failure }
    return nil
  }

  @Test func `the interval is cut to the boards steps`() throws {
    let plan = try plan { $0.advertising = .init(interval: 417) }
    #expect(plan.steps.map(\.writes) == [[bytes("11029b020000")]])
    #expect(plan.steps[0].value == ["interval_ms": 416.875, "timeout_s": 0])
    let old = try self.plan(on: TestBoard.metaMotionS.with("11800000")) {
      $0.advertising = .init(interval: 417)
    }
    #expect(old.steps.map(\.writes) == [[bytes("1102a10100")]])
  }

  @Test func `advertising begins last`() throws {
    let plan = try plan {
      $0.startsAdvertising = true
      $0.name = "Pump 3"
      $0.transmissionPower = 4
    }
    #expect(plan.steps.map(\.key) == ["name", "tx_dbm", "start_advertising"])
    #expect(plan.steps.last?.proofs == [])
  }

  @Test func `the list is filled before it counts`() throws {
    let plan = try plan {
      $0.whitelist = .init(
        mode: .connect,
        addresses: [
          BluetoothAddress(rawValue: 0x0102_0304_0506), BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6),
        ])
    }
    #expect(
      plan.steps[0].writes == [
        bytes("11140100060504030201"), bytes("11140201b6f4d3c2a1e5"), bytes("111302"),
      ])
    #expect(plan.steps[0].proofs.map(\.selector) == [[1], [2]])
  }

  @Test func `answers prove what they repeat`() throws {
    let name = try #require(try plan { $0.name = "Pump 3" }.steps[0].proofs.first)
    #expect(name.isMet(by: bytes("118150756d702033")))
    #expect(!name.isMet(by: bytes("118150756d70")))
    #expect(!name.isMet(by: bytes("118150756d70203334")))
    let response = Array(repeating: UInt8(1), count: 20)
    let long = try #require(try plan { $0.scanResponse = response }.steps[0].proofs.first)
    #expect(long.isMet(by: bytes("1187") + response.prefix(18)))
    #expect(!long.isMet(by: bytes("1187") + response.prefix(17)))
    let advertising = try #require(try plan { $0.advertising = .init(interval: 20) }.steps[0].proofs.first)
    #expect(advertising.isMet(by: bytes("1182200000")))
    #expect(advertising.isMet(by: bytes("118220000000")))
    #expect(!advertising.isMet(by: bytes("118220000001")))
  }

  @Test func `only what the board does not hold, or cannot tell and was not told, is written`() throws {
    let power = try plan { $0.transmissionPower = 4 }.steps[0]
    #expect(!power.isDue(after: [bytes("118304")], isTrusted: false))
    #expect(power.isDue(after: [bytes("118300")], isTrusted: true))
    #expect(power.isDue(after: [nil], isTrusted: false))
    #expect(!power.isDue(after: [nil], isTrusted: true))
    // Behind its first 18 bytes nobody can look.
    let long = try plan { $0.scanResponse = Array(repeating: 1, count: 20) }.steps[0]
    let shown = bytes("1187") + Array(repeating: UInt8(1), count: 18)
    #expect(long.isDue(after: [shown], isTrusted: false))
    #expect(!long.isDue(after: [shown], isTrusted: true))
    #expect(long.isDue(after: [bytes("1187")], isTrusted: true))
    // Nor whom a list keeps away.
    let list = try plan { $0.whitelist = .init(mode: .any, addresses: []) }.steps[0]
    #expect(list.isDue(after: [], isTrusted: false) && !list.isDue(after: [], isTrusted: true))
  }

  @Test func `revisions and models gate keys`() throws {
    let old = TestBoard.metaMotionR.with("11800000")
    #expect(
      try refusal(on: old) { $0.connection = .init(interval: 10...20, latency: 0, supervision: 1_000) }?.code
        == .unsupported)
    #expect(try refusal(on: old) { $0.scanResponse = Array(repeating: 0, count: 19) }?.code == .unsupported)
    #expect(try refusal(on: old) { $0.scanResponse = Array(repeating: 0, count: 18) } == nil)
    #expect(try refusal(on: old) { $0.whitelist = .init(mode: .any, addresses: []) }?.code == .unsupported)
    #expect(
      try refusal(on: old) { $0.advertising = .init(interval: 20, isDirected: true) }?.code == .unsupported)
    #expect(try refusal(on: .metaMotionRL) { $0.regulator = true }?.message.contains("MetaMotion S") == true)
    #expect(
      try refusal(on: .metaMotionRL) { $0.forcesOneMegabit = true }?.message.contains("MetaMotion S") == true)
    #expect(try refusal(on: TestBoard.metaMotionS.with("1180000a0300")) { $0.regulator = true } != nil)
    #expect(try refusal(on: .metaMotionS) { $0.regulator = true } == nil)
    #expect(try refusal(on: TestBoard.metaMotionS.with("1180")) { $0.name = "x" }?.code == .unsupported)
  }
}
