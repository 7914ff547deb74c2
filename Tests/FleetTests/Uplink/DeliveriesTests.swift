import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct DeliveriesTests {
  private func row(
    _ id: OutboxRow.ID, _ deliveryClass: DeliveryClass = .state, _ topic: String = "t",
    isRetained: Bool = false
  ) -> OutboxRow {
    OutboxRow(
      id: id,
      message: OutboxMessage(
        MQTTMessage(topic: topic, payload: [], isRetained: isRetained), as: deliveryClass, created: .at(0)))
  }

  @Test("a row is away from when it is sent until the disk knows that it arrived")
  func away() {
    var deliveries = Deliveries(pace: DrainPace(perSecond: 10, at: .zero))
    deliveries.sent([row(1), row(2)])
    #expect(deliveries.away == [1, 2])
    let answers = [deliveries.answered(1), deliveries.answered(1)]
    let message = deliveries.take(1)
    #expect(answers == [true, false] && message != nil)
    #expect(deliveries.away == [2])
    deliveries.settle([1])
    #expect(deliveries.away == [1, 2])
    let settled = deliveries.takeSettled()
    #expect(settled == [1] && deliveries.away == [1, 2])
    deliveries.told([1], isNoted: false)
    #expect(deliveries.settled == [1])
    _ = deliveries.takeSettled()
    deliveries.told([1], isNoted: true)
    #expect(deliveries.away == [2] && deliveries.settled.isEmpty)
  }

  @Test(
    "what was just written goes out from memory, in order, only where nothing older waits and all of it has room"
  )
  func fromMemory() {
    func deliveries(hasWaiting: Bool, room: Int = 100) -> Deliveries {
      var deliveries = Deliveries(pace: DrainPace(perSecond: 10, at: .zero))
      deliveries.connectionOpened(receiveMaximum: room, at: .zero)
      deliveries.hasWaiting = hasWaiting
      return deliveries
    }
    let rows = [
      row(1, .record, "r"), row(2, .state, "state", isRetained: true), row(3, .event, "l"),
      row(4, .state, "state", isRetained: true),
    ]
    var caughtUp = deliveries(hasWaiting: false)
    let ids = caughtUp.entered(rows, isConnected: true, at: .zero).map(\.id)
    #expect(ids == [4, 3, 1] && !caughtUp.hasWaiting)
    let nothing = caughtUp.entered([], isConnected: true, at: .zero)
    #expect(nothing.isEmpty && !caughtUp.hasWaiting)
    for (hasWaiting, room, isConnected) in [(true, 100, true), (false, 3, true), (false, 100, false)] {
      var behind = deliveries(hasWaiting: hasWaiting, room: room)
      let taken = behind.entered(rows, isConnected: isConnected, at: .zero)
      #expect(taken.isEmpty && behind.hasWaiting)
    }
  }

  @Test("a new connection has nothing under way, and what waits is looked for")
  func connections() {
    var deliveries = Deliveries(pace: DrainPace(perSecond: 10, at: .zero))
    deliveries.sent([row(1)])
    deliveries.hasWaiting = false
    deliveries.connectionOpened(receiveMaximum: 3, at: .zero)
    #expect(deliveries.away.isEmpty && deliveries.hasWaiting && deliveries.window.room == 3)
    let (answer, message) = (deliveries.answered(1), deliveries.take(1))
    #expect(!answer && message == nil)
  }
}
