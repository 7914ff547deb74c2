import Testing

@testable import Simulator

struct EventLaneTests {
  private func lane(_ milliseconds: Int, perEvent: Int = 2) -> EventLane<Int> {
    var link = BootloaderTraits.Link()
    (link.interval, link.packetsPerEvent) = (.milliseconds(milliseconds), perEvent)
    return EventLane(link, at: .zero)
  }

  private func arrivals(_ lane: inout EventLane<Int>) -> [Duration] {
    var times: [Duration] = []
    while let next = lane.next {
      times.append(next)
      #expect(lane.popDue(at: next) != nil)
    }
    return times
  }

  @Test func `So many packets cross in an event, the rest in those behind it, in order`() {
    var lane = lane(30)
    for number in 0..<5 { lane.put(number, at: .milliseconds(10)) }
    #expect(lane.popDue(at: .milliseconds(29)) == nil)
    let due = [
      lane.popDue(at: .milliseconds(30)), lane.popDue(at: .milliseconds(30)),
      lane.popDue(at: .milliseconds(30)),
    ]
    #expect(due == [0, 1, nil])
    #expect(arrivals(&lane) == [60, 60, 90].map { .milliseconds($0) })
  }

  @Test func `What is ready in an event goes in the next`() {
    var lane = lane(30)
    lane.put(1, at: .milliseconds(30))
    #expect(arrivals(&lane) == [.milliseconds(60)])
    lane.put(2, at: .milliseconds(61))
    #expect(arrivals(&lane) == [.milliseconds(90)])
  }

  @Test func `What is late makes what comes behind it late`() {
    var lane = lane(30)
    lane.put(1, at: .zero, late: .seconds(3))
    lane.put(2, at: .zero)
    #expect(arrivals(&lane) == [.milliseconds(3030), .milliseconds(3030)])
  }

  @Test func `Without an interval nothing waits`() {
    var lane = lane(0)
    for number in 0..<9 { lane.put(number, at: .seconds(1)) }
    #expect(arrivals(&lane) == [Duration](repeating: .seconds(1), count: 9))
  }
}
