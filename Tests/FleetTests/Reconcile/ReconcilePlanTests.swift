import FleetModel
import Testing

@testable import Fleet

@Suite struct ReconcilePlanTests {
  private func fleet(_ numbers: Int..., names: [Int: String] = [:]) -> [BoardID: DesiredBoard] {
    Dictionary(
      uniqueKeysWithValues: numbers.map { number in
        (
          BoardID.number(number),
          DesiredBoard(
            board: .number(number), origin: .file, name: names[number], profile: Profile(), groups: [],
            labels: [:],
            isEnabled: true)
        )
      })
  }

  @Test func `equal inputs give an empty plan`() {
    #expect(ReconcilePlan(from: [:], to: [:]).isEmpty)
    #expect(ReconcilePlan(from: fleet(1, 2, 3), to: fleet(3, 2, 1)).isEmpty)
  }

  @Test func `starts changes and retires in order`() {
    let plan = ReconcilePlan(from: fleet(1, 2, 3, 4), to: fleet(6, 5, 4, 3, names: [4: "new", 3: "new"]))
    #expect(plan.start.map(\.board) == [.number(5), .number(6)])
    #expect(plan.change.map(\.board) == [.number(3), .number(4)])
    #expect(plan.change.allSatisfy { $0.name == "new" })
    #expect(plan.retire == [.number(1), .number(2)])
    #expect(!plan.isEmpty)
  }

  @Test func `what was done once need not be done again`() {
    let wanted = fleet(2, 3, names: [2: "x"])
    #expect(!ReconcilePlan(from: fleet(1, 2), to: wanted).isEmpty)
    #expect(ReconcilePlan(from: wanted, to: wanted).isEmpty)
  }
}
