import BoardKit
import FleetModel
import Testing

@testable import BlueZ

@Suite struct RadioEventQueueTests {
  private let adapter = AdapterID(BluetoothAddress(rawValue: 1))

  private func report(_ board: UInt64, _ rssi: Int) -> RadioEvent {
    .advertisement(
      AdvertisementReport(
        board: BoardID(BluetoothAddress(rawValue: board)), adapter: adapter, name: nil, rssi: rssi,
        services: [],
        time: Timestamp(nanoseconds: 0)))
  }

  private func drain(_ queue: inout RadioEventQueue) -> [RadioEvent] {
    var events: [RadioEvent] = []
    while let event = queue.next() { events.append(event) }
    return events
  }

  @Test func `events keep their order`() {
    var queue = RadioEventQueue()
    let events: [RadioEvent] = [
      .adapterGone(adapter), report(1, -50), .service(isAvailable: true, message: ""), report(2, -60),
    ]
    for event in events { queue.append(event) }
    #expect(drain(&queue) == events)
    #expect(drain(&queue) == [])
  }

  @Test func `of several advertisements the newest is kept at the place of the first`() {
    var queue = RadioEventQueue()
    for event in [report(1, -50), .adapterGone(adapter), report(1, -40), report(2, -60)] {
      queue.append(event)
    }
    #expect(drain(&queue) == [report(1, -40), .adapterGone(adapter), report(2, -60)])
    queue.append(report(1, -30))
    #expect(drain(&queue) == [report(1, -30)])
  }

  @Test func `F29 strange devices by the thousand cost no more memory than their number`() {
    var queue = RadioEventQueue()
    for round in 0..<100 { for board in 0..<1000 { queue.append(report(UInt64(board), -round)) } }
    #expect(drain(&queue).count == 1000)
  }

  @Test func `a queue that is never empty keeps its order too`() {
    var queue = RadioEventQueue()
    var (put, taken) = (0, 0)
    for _ in 0..<2000 {
      for _ in 0..<2 {
        queue.append(.service(isAvailable: true, message: "\(put)"))
        put += 1
      }
      #expect(queue.next() == .service(isAvailable: true, message: "\(taken)"))
      taken += 1
    }
    #expect(drain(&queue).count == 2000)
  }
}
