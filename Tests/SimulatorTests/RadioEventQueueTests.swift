import BoardKit
import FleetModel
import Simulator
import Testing

struct RadioEventQueueTests {
  private func report(_ number: UInt16, rssi: Int) -> RadioEvent {
    .advertisement(
      AdvertisementReport(
        board: BoardID(BoardIdentity(number: number).address), adapter: SimulatedRadio.adapter.id, name: nil,
        rssi: rssi, services: [], time: Timestamp(milliseconds: 0)))
  }

  @Test func `Advertisements of one board coalesce, the newest stays; nothing else is lost`() {
    var queue = RadioEventQueue()
    queue.append(report(1, rssi: -50))
    queue.append(.service(isAvailable: false, message: "a"))
    queue.append(report(2, rssi: -60))
    queue.append(.service(isAvailable: true, message: "b"))
    queue.append(report(1, rssi: -51))
    #expect(
      (0..<5).map { _ in queue.popFirst() } == [
        report(1, rssi: -51), .service(isAvailable: false, message: "a"), report(2, rssi: -60),
        .service(isAvailable: true, message: "b"), nil,
      ])
  }
}
