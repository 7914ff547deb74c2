import FleetModel
import Testing

@Suite struct BoardHistoryTests {
  private static let start = Timestamp(milliseconds: 1_763_671_000_000)

  @Test func `looks are parted into runs by the fleet's count and the board's number`() {
    var random = SeededGenerator(seed: 1)
    var crystal = SimulatedCrystal(at: Self.start)
    var anchors: [ClockAnchor] = []
    for boot in [1, 1, 2, 3, 3] {
      if boot != anchors.last?.boot { crystal.reset() }
      crystal.pass(100)
      anchors.append(crystal.look(boot: boot, jitter: 0.01, using: &random))
    }
    let history = BoardHistory(anchors, timing: SimulatedCrystal.timing)
    #expect(history.runs.map(\.boot) == [1, 2, 3])
    #expect(history.runs.map(\.resetID) == [1, 2, 3])
  }

  @Test func `the drift is told once it is measured well, with the sign of the board's clock`() throws {
    var random = SeededGenerator(seed: 2)
    var crystal = SimulatedCrystal(at: Self.start)
    crystal.rate = 30e-6
    var anchors = [crystal.look(jitter: 0.02, using: &random)]
    crystal.pass(60)
    anchors.append(crystal.look(jitter: 0.02, using: &random))
    #expect(BoardHistory(anchors, timing: SimulatedCrystal.timing).drift == nil)
    #expect(BoardHistory(anchors, timing: SimulatedCrystal.timing).rate == .unmeasured)
    crystal.pass(86_400)
    anchors.append(crystal.look(jitter: 0.02, using: &random))
    let history = BoardHistory(anchors, timing: SimulatedCrystal.timing)
    #expect(abs(try #require(history.drift) - 30) < 1)
    #expect(history.rate.range.upperBound < 100e-6)
    #expect(history.rate.range.contains(-30e-6))
  }

  @Test func `nobody looked: nothing is known`() {
    let history = BoardHistory([], timing: SimulatedCrystal.timing)
    #expect(history.runs.isEmpty)
    #expect(history.drift == nil)
    #expect(history.rate == .unmeasured)
  }
}
