import FleetModel
import Simulator
import Testing

@testable import metafleet

@Suite struct SimulationRecordTests {
  private static let board = BoardIdentity(number: 1).address

  private static let entries: [(LedgerEntry, String)] = [
    (.felt(module: 3, [0.5, -1, 0]), #""measured":"accelerometer","x":0.5,"y":-1,"z":0,"unit":"g"}"#),
    (.fired(module: 1, register: 1, index: nil, [1]), #""fired":"switch","register":1,"data":"01"}"#),
    (.fired(module: 5, register: 10, index: 2, [0]), #""fired":"gpio","register":10,"index":2,"data":"00"}"#),
    (.lit(["blue"], until: .milliseconds(2500)), #""led":["blue"],"until_s":2.5}"#),
    (.lit([], until: nil), #""led":[]}"#),
    (.driven(percent: 50, isBuzzer: false, for: .milliseconds(500)), #""motor_pct":50,"for_s":0.5}"#),
    (.pin(3, isHigh: true), #""pin":3,"level":"high"}"#), (.link(isUp: false), #""link":"down"}"#),
    (.restarted("software"), #""restarted":"software"}"#),
    (.removed(7, .confirmed), #""log":"confirmed 7"}"#),
  ]

  @Test(arguments: entries)
  func `what a board did is one object`(entry: LedgerEntry, text: String) throws {
    let object = try #require(SimulationRecord.object(Self.board, entry, at: .milliseconds(1500)))
    #expect(JSONText.of(.object(object)) == #"{"t_s":1.5,"board":"c0ffee000001","# + text)
  }

  @Test func `the bytes of a sample are left to its values`() {
    #expect(SimulationRecord.object(Self.board, .measured(module: 3, [0, 0, 0, 0, 0, 0]), at: .zero) == nil)
  }

  @Test(arguments: [
    (Fault.stimulus(.press), "press"), (.stimulus(.pin(2, .low)), "pin 2 low"), (.heal(.mute), "heal mute"),
    (.apply(.clumped(.seconds(1))), "clump"), (.radio(nil), "radio usual"),
    (.adapter(.off, number: 1), "adapter off 1"),
  ])
  func `what was done is said as a line says it`(fault: Fault, words: String) {
    #expect(
      JSONText.of(.object(SimulationRecord.object(FaultOrder(fault, on: [Self.board]), at: .seconds(2))))
        == #"{"t_s":2,"command":"\#(words)","boards":["c0ffee000001"]}"#)
  }
}
