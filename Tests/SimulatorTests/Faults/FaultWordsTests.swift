import FleetModel
import Testing

@testable import Simulator

struct FaultWordsTests {
  private static let faults: [(Fault, String)] = [
    (.drop, "drop"), (.reset, "reset"), (.battery(percent: 7), "battery 7"), (.flood(3), "flood 3"),
    (.malformed(2), "malformed 2"), (.foreignHost, "foreign-host"),
    (.apply(.refused(name: "a.b", text: "c")), "refuse"), (.apply(.defect(.damagedTicks(2))), "damage-ticks"),
    (.apply(.stale), "stale-attributes"), (.heal(nil), "heal"), (.heal(.mute), "heal mute"),
    (.adapter(.removed, number: 2), "adapter removed 2"), (.service(.gone), "service gone"),
    (.radio(.far), "radio far"), (.radio(nil), "radio usual"),
    (.stimulus(.pin(1, .millivolts(900))), "pin 1 900"), (.stimulus(.motion(.raiseWrist)), "gesture wake-up"),
    (.stimulus(.motion(.shake(.milliseconds(1500)))), "shake 1500ms"),
    (.stimulus(.surroundings(.temperature, nil)), "temperature usual"),
  ]

  @Test(arguments: faults)
  func `A fault says itself as a line does`(fault: Fault, words: String) {
    #expect("\(fault)" == words)
  }
}
