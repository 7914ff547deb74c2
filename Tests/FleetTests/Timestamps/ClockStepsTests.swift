import FleetModel
import Testing

@testable import Fleet

@Suite struct ClockStepsTests {
  @Test
  func `F149 a clock that is set forward is noticed for a while; one that is set back, or slewed, is not`() {
    var steps = ClockSteps()
    func look(_ milliseconds: Int64, ahead: Int64) -> Int64 {
      steps.update(at: .at(milliseconds + ahead), uptime: .milliseconds(milliseconds))
      return steps.forward / 1_000_000
    }
    #expect(look(0, ahead: 0) == 0)
    #expect(look(100, ahead: 1) == 0)
    #expect(look(200, ahead: 90_001) == 90_000)
    #expect(look(300, ahead: 90_101) == 90_100)
    #expect(look(6_200, ahead: 90_101) == 90_100)
    #expect(look(6_400, ahead: 90_101) == 0)
    #expect(look(6_500, ahead: 0) == 0)
  }
}
