import Testing

@testable import Simulator

struct FaultScheduleTests {
  @Test func `In order of time; what lasts is made good in time`() {
    var schedule = FaultSchedule()
    schedule.add(FaultOrder(.apply(.mute), at: .seconds(5), lasts: .seconds(10)))
    schedule.add(FaultOrder(.drop, at: .seconds(7)))
    schedule.add(FaultOrder(.reset, at: .seconds(5)))
    schedule.add(FaultOrder(.adapter(.removed), at: .seconds(6), lasts: .seconds(1)))
    #expect(schedule.next == .seconds(5))
    let early = schedule.popDue(at: .milliseconds(4_999))
    #expect(early == nil)
    var happened: [Fault] = []
    while let order = schedule.popDue(at: .seconds(60)) { happened.append(order.fault) }
    #expect(
      happened == [
        .apply(.mute), .reset, .adapter(.removed), .drop, .adapter(.back), .heal(.mute),
      ])
    #expect(schedule.next == nil)
  }

  @Test func `What boards get into by themselves goes on and on, and comes before what was asked for`() {
    var (randomFaults, schedule) = (
      RandomFaults(seed: 1, boards: [BoardIdentity(number: 1).address]),
      FaultSchedule(randomFaults: RandomFaults(seed: 1, boards: [BoardIdentity(number: 1).address]))
    )
    #expect(schedule.next == nil, "time has not begun")
    schedule.start(at: .seconds(1))
    var now = Duration.seconds(1)
    for _ in 0..<20 {
      guard let deed = randomFaults.next() else { return }
      now += deed.pause
      #expect(schedule.next == now)
      schedule.add(FaultOrder(.flood(1), at: now))
      let (first, second) = (schedule.popDue(at: now), schedule.popDue(at: now))
      #expect(first == FaultOrder(deed.fault, on: [deed.board], at: now) && second?.fault == .flood(1))
    }
  }
}
