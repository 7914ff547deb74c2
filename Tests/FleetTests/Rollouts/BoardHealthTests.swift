import FleetModel
import Testing

@testable import Fleet

@Suite struct BoardHealthTests {
  private static let before = BoardHealth(
    streams: ["acceleration", "pressure"], logged: ["temperature-die"], linkFailures: 24)

  private static func problems(_ change: (inout BoardHealth) -> Void) -> [String] {
    var after = before
    after.linkFailures = 1
    change(&after)
    return after.problems(since: before, over: .seconds(3_600))
  }

  @Test func `a board that does as before is well`() {
    #expect(Self.problems { _ in } == [])
    #expect(Self.problems { $0.streams = ["acceleration", "pressure", "switch"] } == [])
  }

  @Test func `D17 D18 what is worse is told`() {
    #expect(Self.problems { $0.streams = ["acceleration"] } == ["it no longer streams pressure"])
    #expect(Self.problems { $0.logged = [] } == ["it no longer logs temperature-die"])
    #expect(Self.problems { $0.unexpectedResets = 1 } == ["it restarted 1 time by itself"])
    #expect(Self.problems { $0.trouble = "no" } == ["its profile could not be applied: no"])
  }

  @Test func `a few more lost connections than usual are no problem, many are`() {
    #expect(Self.problems { $0.linkFailures = 4 } == [])
    #expect(Self.problems { $0.linkFailures = 5 } == ["its connection was lost or failed 5 times"])
  }

  @Test func `what was not right before is not worse`() {
    var before = Self.before
    before.trouble = "no"
    #expect(Self.problems { $0.trouble = "no" } != [])
    #expect(before.problems(since: before, over: .seconds(3_600)).filter { $0.contains("profile") } == [])
  }

  @Test func `what came since is counted, also by a gateway that was restarted`() {
    let counted = RolloutMember.Counted(resets: 1, linkFailures: 6)
    let health = { (resets, failures) in
      BoardHealth(unexpectedResets: resets, linkFailures: failures)
    }
    #expect(counted.since(health(1, 8)) == health(0, 2))
    #expect(counted.since(health(0, 5)) == health(0, 5))
  }

  @Test func `what was before is kept`() {
    #expect(BoardHealth(document: Self.before.document) == Self.before)
    #expect(BoardHealth(document: [:]) == BoardHealth())
  }
}
