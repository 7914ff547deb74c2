import FleetModel
import Testing

@testable import Fleet

@Suite struct RolloutPlanTests {
  private static func member(_ board: Int, _ kind: String, _ battery: Int?, _ signal: Int?)
    -> RolloutPlan.Member
  {
    RolloutPlan.Member(
      board: RolloutRun.board(board), kind: kind, battery: battery, signal: signal, health: BoardHealth())
  }

  private static func canaries(
    _ members: [RolloutPlan.Member], _ change: (inout RolloutOptions) -> Void = { _ in }
  ) -> [Int] {
    var options = RolloutOptions()
    change(&options)
    return RolloutPlan(
      id: "a", group: "g", version: "1", options: options, members: members, refusals: [:]
    ).canaries.map { Int($0.address.rawValue) }.sorted()
  }

  @Test func `the first ones have the fullest battery, then the best signal`() {
    let members = [
      Self.member(1, "a", 80, -50), Self.member(2, "a", 90, -70), Self.member(3, "a", 90, -60),
      Self.member(4, "a", nil, -40),
    ]
    #expect(Self.canaries(members) == [3])
    #expect(Self.canaries(members) { $0.canaries = 2 } == [2, 3])
    #expect(Self.canaries(members) { $0.canaries = 9 } == [1, 2, 3, 4])
  }

  @Test func `of every kind there is one among the first`() {
    let members = [Self.member(1, "a", 80, -50), Self.member(2, "b", 20, -90), Self.member(3, "b", 10, -90)]
    #expect(Self.canaries(members) == [1, 2])
  }

  @Test func `who is named is first, and one of each other kind`() {
    let members = [
      Self.member(1, "a", 80, -50), Self.member(2, "a", 90, -50), Self.member(3, "b", 20, -90),
    ]
    #expect(
      Self.canaries(members) { ($0.namedCanaries, $0.canaries) = ([RolloutRun.board(1)], 5) } == [1, 3])
  }

  @Test func `a plan is read as it was written, and not where something is missing`() throws {
    let plan = RolloutRun.plan(3, refused: [RolloutRun.board(9): "no build fits"]) {
      $0.namedCanaries = [RolloutRun.board(2)]
      ($0.hours, $0.until) = ([HoursOfDay(start: 1_320, end: 300)], RolloutRun.start)
      ($0.failPercent, $0.allowsBootloader) = (nil, true)
    }
    #expect(RolloutPlan(document: plan.document) == plan)
    for key in ["id", "group", "version", "members", "refused"] {
      var document = plan.document
      document[key] = nil
      #expect(RolloutPlan(document: document) == nil, "\(key)")
    }
  }

  @Test func `a rollout is not read without its members, or in a state that there is not`() {
    let rollout = Rollout(RolloutRun.plan(2))
    #expect(Rollout(rollout.plan, document: rollout.document) == rollout)
    var document = rollout.document
    document["members"] = .object([:])
    #expect(Rollout(rollout.plan, document: document) == nil)
    document = rollout.document
    document["phase"] = "somewhere"
    #expect(Rollout(rollout.plan, document: document) == nil)
    #expect(RolloutMember(document: ["state": "running"]) == nil)
    #expect(RolloutMember(document: ["state": "flying"]) == nil)
  }
}
