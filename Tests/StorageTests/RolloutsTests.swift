import FleetModel
import Storage
import Testing

@Suite struct RolloutsTests {
  private static func rollout(
    _ id: String, _ state: String = "a", changed: Int64 = 5, isOver: Bool = false
  ) -> StoredRollout {
    StoredRollout(
      id: id, plan: Array("plan of \(id)".utf8), state: Array(state.utf8), began: .at(5),
      changed: .at(changed), isOver: isOver)
  }

  @Test func `F258 a rollout is there after a crash as it was written last`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    try await store.rollouts.begin(Self.rollout("one"))
    try await store.rollouts.keep(Array("b".utf8), of: "one", isOver: false, at: .at(7))
    let after = try directory.crashed().open()
    #expect(try await after.rollouts.all() == [Self.rollout("one", "b", changed: 7)])
  }

  @Test func `an id is used once`() async throws {
    let store = try Store.inMemory()
    try await store.rollouts.begin(Self.rollout("one"))
    await #expect(throws: StoreFailure.self) { try await store.rollouts.begin(Self.rollout("one")) }
  }

  @Test func `of those that are over the last ten stay, and the one that is not`() async throws {
    let store = try Store.inMemory()
    try await store.rollouts.begin(Self.rollout("running"))
    for number in 1...12 { try await store.rollouts.begin(Self.rollout("past-\(number)", isOver: true)) }
    #expect(try await store.rollouts.trim() == ["past-2", "past-1"])
    let left = try await store.rollouts.all().map(\.id)
    #expect(left == ["running"] + (3...12).map { "past-\($0)" })
    #expect(try await store.rollouts.trim() == [])
  }
}
