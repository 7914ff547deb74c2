import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct InFlightMessagesTests {
  private func row(
    _ id: OutboxRow.ID, _ deliveryClass: DeliveryClass = .state, _ topic: String = "t",
    isRetained: Bool = false
  ) -> OutboxRow {
    OutboxRow(
      id: id,
      message: OutboxMessage(
        MQTTMessage(topic: topic, payload: [], isRetained: isRetained), as: deliveryClass, created: .at(0)))
  }

  @Test func `a row is away from when it is sent until the disk knows that it arrived`() {
    var inFlight = InFlightMessages(pace: BacklogRateLimit(perSecond: 10, at: .zero))
    inFlight.sent([row(1), row(2)])
    #expect(inFlight.away == [1, 2])
    let answers = [inFlight.answered(1), inFlight.answered(1)]
    let message = inFlight.take(1)
    #expect(answers == [true, false] && message != nil)
    #expect(inFlight.away == [2])
    inFlight.acknowledge([1])
    #expect(inFlight.away == [1, 2])
    let acknowledged = inFlight.takeAcknowledged()
    #expect(acknowledged == [1] && inFlight.away == [1, 2])
    inFlight.stored([1], isStored: false)
    #expect(inFlight.acknowledged == [1])
    _ = inFlight.takeAcknowledged()
    inFlight.stored([1], isStored: true)
    #expect(inFlight.away == [2] && inFlight.acknowledged.isEmpty)
  }

  @Test func `F66 what the disk could not note as refused is not sent again before it is offered anew`() {
    var inFlight = InFlightMessages(pace: BacklogRateLimit(perSecond: 10, at: .zero))
    inFlight.next.read([], of: 1, look: 0)
    inFlight.setAside([1, 2])
    #expect(inFlight.away == [1, 2] && !inFlight.hasWaiting)
    let offers = [inFlight.offerAgain(), inFlight.offerAgain()]
    #expect(offers == [true, false] && inFlight.away.isEmpty && inFlight.hasWaiting)
    inFlight.setAside([3])
    inFlight.connectionOpened(receiveMaximum: 10, at: .zero)
    #expect(inFlight.away.isEmpty)
  }

  @Test func `a new connection has nothing under way, and what waits is looked for`() {
    var inFlight = InFlightMessages(pace: BacklogRateLimit(perSecond: 10, at: .zero))
    inFlight.sent([row(1)])
    inFlight.next.read([], of: 1, look: 0)
    inFlight.connectionOpened(receiveMaximum: 3, at: .zero)
    #expect(inFlight.away.isEmpty && inFlight.hasWaiting && inFlight.window.room == 3)
    let (answer, message) = (inFlight.answered(1), inFlight.take(1))
    #expect(!answer && message == nil)
  }
}
