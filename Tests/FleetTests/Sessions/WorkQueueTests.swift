import FleetModel
import Testing

@testable import Fleet

@Suite struct WorkQueueTests {
  private func queue(_ units: [SessionTask]) -> (queue: WorkQueue, isTaken: [Bool]) {
    var queue = WorkQueue()
    let isTaken = units.map { queue.append($0) }
    return (queue, isTaken)
  }

  private func routines(_ queue: inout WorkQueue) -> [SessionTask.Routine?] {
    var routines: [SessionTask.Routine?] = []
    while let unit = queue.next() { routines.append(unit.routine) }
    return routines
  }

  @Test func `work has its turn in the order in which it came`() {
    var (queue, isTaken) = queue([.battery, .apply, .clock, .apply, .poll(StreamKey(1))])
    #expect(isTaken == [true, true, true, true, true])
    #expect(routines(&queue) == [.battery, nil, .clock, nil, .poll(StreamKey(1))])
  }

  @Test func `routine work waits once, and may wait again when it has had its turn`() {
    var (queue, isTaken) = queue([.poll(StreamKey(1)), .poll(StreamKey(2)), .poll(StreamKey(1))])
    #expect(isTaken == [true, true, false])
    let first = queue.next()?.routine
    let isTakenAgain = queue.append(.poll(StreamKey(1)))
    #expect(first == .poll(StreamKey(1)) && isTakenAgain)
    #expect(routines(&queue) == [.poll(StreamKey(2)), .poll(StreamKey(1))])
  }

  @Test func `what the contact is for waits for all else`() {
    var (queue, _) = queue([])
    queue.add(VisitAgenda([.leave, .clock]))
    _ = queue.append(.battery)
    var items: [VisitAgenda.Item?] = []
    while let unit = queue.next() {
      if case .agenda(let item) = unit { items.append(item) } else { items.append(nil) }
    }
    #expect(items == [nil, .clock, .leave])
  }

  @Test func `nothing is left once all is taken`() {
    var (queue, _) = queue([.battery])
    queue.add(VisitAgenda([.leave]))
    let all = queue.takeAll().map(\.routine)
    let isTakenAgain = queue.append(.battery)
    #expect(all == [.battery] && isTakenAgain)
    #expect(routines(&queue) == [.battery])
  }
}
