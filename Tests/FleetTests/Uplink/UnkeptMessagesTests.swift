import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct UnkeptMessagesTests {
  private func message(
    _ topic: String, _ deliveryClass: DeliveryClass = .state, bytes: Int = 10, isRetained: Bool = false
  ) -> OutboxMessage {
    OutboxMessage(
      MQTTMessage(topic: topic, payload: Array(repeating: 0, count: bytes), isRetained: isRetained),
      as: deliveryClass, created: .at(0))
  }

  private func topics(_ messages: [OutboxMessage]) -> [String] { messages.map(\.topic) }

  @Test("F134 what the disk takes goes whole, or piece by piece where much gathered, in order")
  func pieces() {
    var unkept = UnkeptMessages()
    for number in 0..<5 { unkept.keep(message("\(number)", bytes: 40)) }
    let first = unkept.take(piece: 100, isLow: false)
    #expect(topics(first) == ["0", "1", "2"] && unkept.bytes == 80)
    let rest = unkept.take(piece: 100, isLow: false)
    #expect(topics(rest) == ["3", "4"])
    #expect(unkept.waiting.isEmpty && unkept.bytes == 0)
  }

  @Test("F134 where little is left of the disk samples wait, and nothing else does")
  func low() {
    var unkept = UnkeptMessages()
    for (topic, deliveryClass) in [("a", .record), ("b", .state), ("c", .record)]
      as [(String, DeliveryClass)]
    {
      unkept.keep(message(topic, deliveryClass))
    }
    let taken = unkept.take(piece: 1_000, isLow: true)
    #expect(topics(taken) == ["b"])
    #expect(topics(unkept.waiting) == ["a", "c"])
    unkept.putBack([message("b")])
    #expect(topics(unkept.waiting) == ["b", "a", "c"] && unkept.bytes == 30)
  }

  @Test("F134 everything but samples goes out from memory; what the broker refuses comes back for the disk")
  func fromMemory() throws {
    var unkept = UnkeptMessages()
    for (topic, deliveryClass) in [("a", .state), ("b", .record), ("c", .event), ("d", .state)]
      as [(String, DeliveryClass)]
    {
      unkept.keep(message(topic, deliveryClass))
    }
    let said = unkept.takeForBroker(atMost: 2)
    #expect(said.map(\.message.topic) == ["a", "c"] && topics(unkept.waiting) == ["b", "d"])
    #expect(said.allSatisfy { $0.token > UnkeptMessages.firstToken } && Set(said.map(\.token)).count == 2)
    unkept.answered(said[0].token, isDelivered: true)
    unkept.answered(said[1].token, isDelivered: false)
    let taken = unkept.take(piece: 1_000, isLow: false)
    #expect(topics(taken) == ["c", "b", "d"])
  }

  @Test("F134 a new connection takes up again what was under way, before all that came after it")
  func connections() {
    var unkept = UnkeptMessages()
    let before = unkept.connectionOpened()
    unkept.keep(message("a"))
    _ = unkept.takeForBroker(atMost: 1)
    unkept.keep(message("b"))
    let (first, second) = (unkept.connectionOpened(), unkept.connectionOpened())
    #expect(!before && first && !second)
    #expect(topics(unkept.waiting) == ["a", "b"] && unkept.bytes == 20)
  }

  @Test(
    "F134 what went out from memory is not taken back by what is older on the disk")
  func superseded() {
    var unkept = UnkeptMessages()
    let state = message("state", isRetained: true)
    unkept.keep(state)
    #expect(!unkept.isSuperseded(state))
    _ = unkept.takeForBroker(atMost: 1)
    #expect(unkept.isSuperseded(state) && !unkept.isSuperseded(message("state")))
    // The next one goes to the disk, and another goes out while it is being written.
    unkept.keep(state)
    _ = unkept.take(piece: 1_000, isLow: false)
    #expect(!unkept.isSuperseded(state))
    unkept.keep(state)
    _ = unkept.takeForBroker(atMost: 1)
    #expect(unkept.isSuperseded(state))
  }
}
