import Dialects
import FleetModel
import Testing

@testable import Mosquitto

@Suite struct EventQueueTests {
  private func tokens(_ queue: inout EventQueue) -> [UInt64] {
    var tokens: [UInt64] = []
    while case .acknowledged(let answers) = queue.pop() { tokens += answers.map(\.token) }
    return tokens
  }

  @Test func `first in, first out, also while it is being emptied`() {
    var queue = EventQueue()
    var taken: [UInt64] = []
    for token: UInt64 in 0..<2_000 {
      queue.append(.acknowledged([Acknowledgement(token: token, failure: nil)]))
      if token % 2 == 0, case .acknowledged(let answers) = queue.pop() { taken += answers.map(\.token) }
    }
    taken += tokens(&queue)
    #expect(taken == Array(0..<2_000))
    #expect(tokens(&queue).isEmpty)
  }

  @Test func `it is full at some megabytes, and has room again at half of that`() {
    var queue = EventQueue()
    let event = BrokerEvent.message(MQTTMessage(topic: "a", payload: Array(repeating: 0, count: 100_000)))
    var count = 0
    while queue.hasRoom, count < 1_000 {
      queue.append(event)
      count += 1
    }
    var taken = 0
    while !queue.hasRoom, queue.pop() != nil { taken += 1 }
    #expect([count, taken] == [42, 22])
  }
}
