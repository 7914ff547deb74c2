import FleetModel
import Storage
import Testing

@Suite struct AuditTrailTests {
  private let directory = StateDirectory()
  private let store: Store

  init() throws { store = try directory.open() }

  private static func request(
    _ id: String, to target: CommandTarget = .board(.number(1)), at second: Int64 = 0, refused: Bool = false
  ) -> AuditEntry {
    AuditEntry(
      time: .at(second), target: target, verb: "led", id: id, hasSenderID: false,
      arguments: Array(#"{"color":"green"}"#.utf8),
      sender: [UserProperty("user", "ada"), UserProperty("user", "bob")], responseTopic: "ada/answers",
      isRefusal: refused,
      end: refused ? AuditEntry.End(stage: "failed", code: "denied", took: .zero) : nil)
  }

  private func begin(_ entry: AuditEntry, topic: String = "t") async throws -> CommandEntry.Key {
    let key = CommandEntry.Key(topic: topic, id: entry.id)
    _ = try await store.commands.begin(
      CommandEntry(
        key: key, payloadHash: 1, firstSeen: entry.time, expires: entry.time + .seconds(30), request: [],
        reply: []), auditing: entry)
    return key
  }

  @Test func `who asked for what comes back whole, first without its end, then with it`() async throws {
    let request = Self.request("a")
    let key = try await begin(request)
    #expect(try await store.audit.entries(limit: 10) == [request])
    let end = AuditEntry.End(stage: "failed", code: "unreachable", took: .milliseconds(1_234))
    _ = try await store.commands.finish(key, reply: [1], publishing: [], auditing: end)
    var whole = request
    whole.end = end
    #expect(try await store.audit.entries(limit: 10) == [whole])
  }

  @Test func `a second end changes nothing, and a repeat leaves no second trace`() async throws {
    let key = try await begin(Self.request("a"))
    _ = try await begin(Self.request("a"))
    let end = AuditEntry.End(stage: "done", took: .seconds(1))
    _ = try await store.commands.finish(key, reply: [1], publishing: [], auditing: end)
    _ = try await store.commands.finish(
      key, reply: [2], publishing: [], auditing: .init(stage: "unknown", took: .zero))
    #expect(try await store.audit.entries(limit: 10).map(\.end) == [end])
  }

  @Test func `every kind of target comes back`() async throws {
    let targets: [CommandTarget] = [.board(.number(7)), .group("east_1"), .gateway("gw-3")]
    for (index, target) in targets.enumerated() {
      try await store.audit.note(refusal: Self.request("\(index)", to: target, refused: true), topic: "t")
    }
    #expect(try await store.audit.entries(limit: 10).map(\.target) == targets)
  }

  @Test func `the latest are told, oldest first, of one board and since a time where that is asked`()
    async throws
  {
    for second in 1...6 {
      let target = CommandTarget.board(.number(second % 2))
      try await store.audit.note(
        refusal: Self.request("\(second)", to: target, at: Int64(second), refused: true), topic: "t")
    }
    func ids(since: Int64? = nil, board: Int? = nil, limit: Int = 10) async throws -> [String] {
      try await store.audit.entries(
        since: since.map { .at($0) }, board: board.map { .number($0) }, limit: limit
      ).map(\.id)
    }
    #expect(try await ids() == ["1", "2", "3", "4", "5", "6"])
    #expect(try await ids(limit: 2) == ["5", "6"])
    #expect(try await ids(board: 1) == ["1", "3", "5"])
    #expect(try await ids(since: 3, board: 1) == ["3", "5"])
    #expect(try await ids(since: 3, board: 0, limit: 1) == ["6"])
  }

  @Test func `what is older than thirty days goes, but nothing that is still under way`() async throws {
    let day: Int64 = 86_400
    let key = try await begin(Self.request("done"))
    _ = try await begin(Self.request("open"))
    _ = try await begin(Self.request("young", at: day))
    _ = try await store.commands.finish(
      key, reply: [], publishing: [], auditing: .init(stage: "done", took: .zero))
    try await store.commands.purge(now: .at(30 * day))
    #expect(try await store.audit.entries(limit: 10).map(\.id) == ["done", "open", "young"])
    try await store.commands.purge(now: .at(30 * day + 1))
    #expect(try await store.audit.entries(limit: 10).map(\.id) == ["open", "young"])
  }

  @Test func `F86 a flood of refusals is bounded and wipes out no trace of what was done`() async throws {
    let store = try Store.inMemory()
    _ = try await store.commands.begin(
      CommandEntry(
        key: .init(topic: "t", id: "done"), payloadHash: 1, firstSeen: .at(0), expires: .at(30), request: [],
        reply: []), auditing: Self.request("done"))
    for number in 1...(AuditTrail.refusals + 5) {
      try await store.audit.note(refusal: Self.request("\(number)", refused: true), topic: "t")
    }
    try await store.commands.purge(now: .at(1))
    let left = try await store.audit.entries(limit: 100_000).map(\.id)
    #expect(left.count == AuditTrail.refusals + 1 && left.prefix(2) == ["done", "6"])
  }

  @Test func `another program reads the trail while the daemon writes it`() async throws {
    let reader = try #require(try ArchiveReader(directory: directory.path))
    _ = try await begin(Self.request("a"))
    #expect(try reader.auditTrail(limit: 10) == [Self.request("a")])
    _ = try await begin(Self.request("b"))
    #expect(try reader.auditTrail(board: .number(1), limit: 1).map(\.id) == ["b"])
  }

  @Test func `what ended at once is in the ledger with its end, as in the trail`() async throws {
    var request = Self.request("late")
    request.end = AuditEntry.End(stage: "failed", code: "expired", took: .zero)
    let key = CommandEntry.Key(topic: "t", id: "late")
    let entry = CommandEntry(
      key: key, payloadHash: 1, firstSeen: .at(0), expires: .at(0), request: [], reply: [9])
    #expect(
      try await store.commands.begin(entry, publishing: [.reply("late")], ended: true, auditing: request)
        == .fresh)
    #expect(try await store.commands.begin(entry) == .finished([9]))
    #expect(try await store.commands.unfinished().isEmpty)
    #expect(try await store.audit.entries(limit: 10) == [request])
    #expect(try await store.outbox.waiting(limit: 10).map(\.message.text) == ["late"])
  }

  @Test func `answers to many commands are looked up at once`() async throws {
    let open = try await begin(Self.request("open"))
    let done = try await begin(Self.request("done"))
    _ = try await store.commands.finish(done, reply: [4], publishing: [])
    let never = CommandEntry.Key(topic: "t", id: "never")
    let answers = try await store.commands.answers(to: [open, done, never])
    #expect(answers == [open: nil, done: [4]])
  }
}

extension BoardID {
  fileprivate static func number(_ number: Int) -> BoardID {
    BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0000 + UInt64(number)))
  }
}
