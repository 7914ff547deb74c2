import BoardKit
import FleetModel
import Synchronization
import Testing

@testable import Fleet

@Suite struct RolloutPlanningTests {
  private static func board(_ installed: String?, _ hardware: String? = "0.4") -> RolloutBoard {
    RolloutBoard(
      groups: ["pumps"],
      recipient: hardware.map { FirmwareRecipient(modelNumber: "5", hardwareRevision: $0) },
      installed: installed, battery: 80)
  }

  private static func order(_ change: (inout RolloutOptions) -> Void = { _ in }) -> RolloutOrder {
    var options = RolloutOptions()
    change(&options)
    var order = RolloutOrder(version: "1.7.3", options: options)
    (order.id, order.group) = ("fw-173", "pumps")
    return order
  }

  private static func refusal(_ board: RolloutBoard, _ order: RolloutOrder = order()) -> String? {
    RolloutPlanning.refusal(of: board, RolloutRun.board(1), order, CommandPermissions())
  }

  @Test func `who cannot have it is known before anything is fetched`() {
    #expect(Self.refusal(Self.board("1.7.2")) == nil)
    #expect(Self.refusal(Self.board(nil)) == nil)
    #expect(Self.refusal(Self.board("1.7.2", nil))?.contains("never answered") == true)
    #expect(Self.refusal(Self.board("1.7.3")) == "it has firmware 1.7.3 already")
    #expect(Self.refusal(Self.board("1.8.0"))?.contains("which is newer") == true)
    let forced = Self.order { $0.isForced = true }
    #expect(Self.refusal(Self.board("1.7.3"), forced) == nil)
    #expect(Self.refusal(Self.board("1.8.0"), forced) == nil)
    let denied = RolloutPlanning.refusal(
      of: Self.board("1.7.2"), RolloutRun.board(1), Self.order(), CommandPermissions([.init(verbs: ["led"])]))
    #expect(denied?.contains("not allowed") == true)
  }

  @Test func `firmware is looked for once for boards that are alike, and kinds that have none are refused`()
    async
  {
    let asked = Mutex<[String]>([])
    let planning = RolloutPlanning(
      order: Self.order(),
      boards: [
        RolloutRun.board(1): Self.board("1.7.2"), RolloutRun.board(2): Self.board("1.7.1"),
        RolloutRun.board(3): Self.board("1.7.2", "0.1"), RolloutRun.board(4): Self.board("1.7.3"),
      ], permissions: CommandPermissions(), sender: [UserProperty("who", "anna")],
      installation: { (request: InstallationRequest) async throws(CommandFailure) in
        asked.withLock { $0.append(request.recipient.hardwareRevision) }
        if request.recipient.hardwareRevision == "0.1" { throw .invalid("there is no build for r0.1") }
      })
    let plan = await planning.plan()
    #expect(plan.members.map(\.board) == [RolloutRun.board(1), RolloutRun.board(2)])
    #expect(
      plan.refusals == [
        RolloutRun.board(3): "there is no build for r0.1",
        RolloutRun.board(4): "it has firmware 1.7.3 already",
      ])
    #expect(asked.withLock { $0.sorted() } == ["0.1", "0.4"])
    let answer = plan.answer(isDryRun: true)
    #expect(answer["boards"] == 2 && answer["refused_count"] == 2 && answer["dry_run"] == true)
    #expect(answer["first"] == [.string(RolloutRun.board(1).description)])
    #expect(plan.objection(answer) == nil)
    #expect(RolloutPlan(document: plan.document) == plan)
  }

  @Test func `a plan without boards, or without those that are to be first, is not begun`() {
    let none = RolloutPlan(
      id: "a", group: "g", version: "1.7.3", options: RolloutOptions(), members: [],
      refusals: [RolloutRun.board(1): "no build fits"])
    #expect(none.objection([:])?.code == .unsupported)
    #expect(none.objection([:])?.message.contains("no build fits") == true)
    let missing = RolloutRun.plan(2) { $0.namedCanaries = [RolloutRun.board(7)] }
    #expect(missing.objection([:])?.message.contains("it is not in the group") == true)
  }

  @Test func `each board gets an ordinary command, and each attempt an id of its own`() {
    let plan = RolloutRun.plan(2) { ($0.allowsBootloader, $0.isForced) = (true, true) }
    let (first, board) = (RolloutRun.start, RolloutRun.board(1))
    let request = plan.request(for: board, attempt: 1, at: first)
    #expect(request.id == "fw-1.\(board)" && request.target == .board(board))
    #expect(request.verb == "firmware-update" && request.expires == first + .seconds(300))
    #expect(
      request.arguments == [
        "confirm": .string(board.description), "version": "1.7.3", "allow_bootloader": true, "force": true,
      ])
    #expect(plan.request(for: board, attempt: 2, at: first).id == "fw-1.\(board).2")
    #expect(throws: Never.self) { try request.interpret() }
  }
}
