import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct MessagesBeingWrittenTests {
  private static func message(_ topic: String, _ deliveryClass: DeliveryClass = .state) -> OutboxMessage {
    OutboxMessage(MQTTMessage(topic: topic, payload: [1]), as: deliveryClass, created: .at(0))
  }

  @Test
  func
    `F95 everything but samples and ends of sessions goes out in order, once, and no more than there is room for`()
  {
    var end = Self.message("end", .event)
    end.closes = [.seeded(1)]
    var written = MessagesBeingWritten(
      [Self.message("a"), Self.message("b", .record), end, Self.message("c", .event), Self.message("d")])
    var last = OutboxRow.ID(10)
    let taken = (1...3).map { _ in written.takeForBroker(atMost: 2, after: &last) }
    #expect(taken.map { $0.map(\.message.topic) } == [["a", "c"], ["d"], []])
    #expect(taken.joined().map(\.token) == [11, 12, 13] && last == 13)
  }

  @Test func `F95 what the broker has is known, and all else is left for the disk`() {
    var written = MessagesBeingWritten(["a", "b", "c", "d"].map { Self.message($0) })
    var last = OutboxRow.ID(0)
    _ = written.takeForBroker(atMost: 3, after: &last)
    let answers = [
      written.answered(1, isDelivered: true), written.answered(2, isDelivered: false),
      written.answered(9, isDelivered: true), written.answered(1, isDelivered: true),
    ]
    #expect(answers.map { $0?.topic } == ["a", "b", nil, nil])
    #expect(written.delivered == [0])
    let left = written.left
    #expect(left.waiting.map(\.topic) == ["b", "d"] && left.delivered.map(\.topic) == ["a"])
    #expect(left.underWay.map(\.token) == [3] && left.underWay.map(\.message.topic) == ["c"])
    // A new connection does not know what was under way.
    written.connectionOpened()
    #expect(written.left.waiting.map(\.topic) == ["b", "c", "d"] && written.delivered == [0])
    #expect(written.takeForBroker(atMost: 9, after: &last).map(\.message.topic) == ["c", "d"])
  }
}
