import FleetModel
import Storage
import Testing

@Suite struct AlarmsTests {
  private static func alarm(_ id: String, since: Int64 = 5) -> KeptAlarm {
    KeptAlarm(id: id, since: .at(since), sentence: "x")
  }

  @Test func `F179 alarms, and who has seen them, are there after a crash`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    var seen = Self.alarm("battery-low.e5a1c2d3f4b6")
    (seen.name, seen.acknowledged, seen.acknowledgedBy) = ("Pump 3", .at(7), "anna")
    try await store.alarms.keep([Self.alarm("storage-full"), seen], deleting: [])
    #expect(try await directory.crashed().open().alarms.all() == [seen, Self.alarm("storage-full")])
  }

  @Test func `one is written anew, and what is over is deleted`() async throws {
    let store = try Store.inMemory()
    try await store.alarms.keep([Self.alarm("a"), Self.alarm("b")], deleting: [])
    try await store.alarms.keep([Self.alarm("b", since: 6)], deleting: ["a", "c"])
    #expect(try await store.alarms.all() == [Self.alarm("b", since: 6)])
    try await store.alarms.keep([], deleting: ["b"])
    #expect(try await store.alarms.all().isEmpty)
  }
}
