import FleetModel
import Testing

@testable import Simulator

/// Several adapters of one bluetoothd.
@Suite struct FakeAdaptersTests {
  private let board = BoardIdentity(number: 1).address

  @Test func `each adapter receives boards by itself, and the one with the link holds the board`() {
    var adapters = FakeAdapters(2, air: Air(seed: 1), memory: .seconds(30))
    #expect(adapters.numbers == 0..<2 && adapters.holder(of: board) == nil)
    let advertisement = Advertisement(
      localName: "MetaWear", service: MetaMotionAttributes.service, manufacturerData: [:])
    adapters.change { _ = $0.advertises(board, advertisement) }
    _ = adapters.all[1].startDiscovery(by: ":1.1", FakeCall(number: 1))
    _ = adapters.all[1].advance(to: .milliseconds(200))
    #expect(adapters.all[0].devices.isEmpty && adapters.all[1].devices[board] != nil)
    _ = adapters.all[1].stopDiscovery(by: ":1.1", FakeCall(number: 2))
    _ = adapters.all[1].connect(board, FakeCall(number: 3))
    let next = adapters.nextEvent()
    #expect(next != nil)
    _ = adapters.all[1].advance(to: .seconds(3))
    #expect(adapters.holder(of: board) == 1 && adapters.connected == [board])
    adapters.startAnew()
    #expect(adapters.holder(of: board) == nil && adapters.connected.isEmpty)
  }

  @Test func `the air of all becomes worse, and what it was at the start again`() {
    var conditions = Air.Conditions()
    conditions.refusals = 0.01
    var adapters = FakeAdapters(2, air: Air(seed: 1, conditions: conditions), memory: .seconds(30))
    adapters.change(to: .failing)
    #expect(adapters.all.map(\.air.conditions) == Array(repeating: RadioQuality.failing.conditions, count: 2))
    adapters.startAnew()
    adapters.change(to: nil)
    #expect(adapters.all.map(\.air.conditions) == [conditions, conditions])
  }
}
