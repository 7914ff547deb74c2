import Testing

@testable import Simulator

struct FaultScheduleTests {
  @Test func `In order of time; what lasts is made good in time`() {
    var schedule = FaultSchedule()
    schedule.add(FaultOrder(.suffer(.mute), at: .seconds(5), lasts: .seconds(10)))
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
        .suffer(.mute), .reset, .adapter(.removed), .drop, .adapter(.back), .heal(.mute),
      ])
    #expect(schedule.next == nil)
  }
}
