import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct ReplayProgressTests {
  private static func row(_ id: OutboxRow.ID, samples: Int = 2) -> OutboxRow {
    OutboxRow(
      id: id,
      message: OutboxMessage(
        MQTTMessage(topic: "t", payload: []), as: .record, samples: samples, created: .at(0)))
  }

  @Test func `what the broker acknowledged is counted once, and a refusal is an answer`() {
    var tally = ReplayProgress()
    tally.sent([Self.row(1), Self.row(2), Self.row(3)])
    tally.answered(-2, isDelivered: true)
    tally.answered(-2, isDelivered: true)
    tally.answered(-3, isDelivered: false)
    tally.answered(-9, isDelivered: true)
    #expect(tally.done == ReplayProgress.Amount(messages: 1, samples: 2))
    #expect(tally.unanswered == [Self.row(1)] && !tally.isAnswered)
    tally.answered(-1, isDelivered: true)
    #expect(tally.done == ReplayProgress.Amount(messages: 2, samples: 4) && tally.isAnswered)
  }

  @Test func `F67 what was under way when a connection broke is known, oldest first`() {
    var tally = ReplayProgress()
    tally.sent([Self.row(3), Self.row(1), Self.row(2)])
    #expect(tally.unanswered.map(\.id) == [1, 2, 3])
  }

  @Test(arguments: [(100, 0, 0, 50), (100, 0, 50, 0), (100, 30, 20, 30), (100, 90, 0, 10), (1, 0, 0, 1)])
  func `no more than half of what may be under way is history`(
    capacity: Int, news: Int, history: Int, room: Int
  ) {
    var (window, tally) = (InFlightWindow(), ReplayProgress())
    window.opened(receiveMaximum: capacity)
    for id in 0..<news { window.sent(Int64(id + 1)) }
    let rows = (0..<history).map { Self.row(Int64($0 + 1)) }
    for row in rows { window.sent(ReplayProgress.token(of: row)) }
    tally.sent(rows)
    #expect(tally.room(in: window) == room)
  }
}
