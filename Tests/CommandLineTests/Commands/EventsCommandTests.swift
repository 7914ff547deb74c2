import FleetModel
import Foundation
import Storage
import Testing

@testable import metafleet

@Suite struct EventsCommandTests {
  private static func message(_ name: String, at time: Timestamp, board: BoardID? = nil) -> OutboxMessage {
    let document = Array(#"{"kind":"tap","event_type":"single","event_id":"\#(name)"}"#.utf8)
    var message = OutboxMessage(
      MQTTMessage(topic: "m/event/tap", payload: document), as: .event, created: time)
    message.history = HistoryEntry(
      time: time, kind: board == nil ? "process" : "tap", isOfGateway: board == nil, board: board,
      document: document)
    return message
  }

  private static func record(_ messages: [OutboxMessage], in store: Store) async throws {
    _ = try await store.outbox.exchange(messages, forDelivered: [], at: .system)
  }

  private static func ids(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { $0.firstMatch(of: /"event_id":"([a-z]+)"/).map { String($0.1) } }
  }

  @Test func `events are listed while nobody else runs, by board, kind, time and number`() async throws {
    try await withScratchDirectory { directory in
      let store = try Store(directory: directory.path, executor: InlineExecutor())
      let now = Timestamp.system - .seconds(60)
      try await Self.record(
        [
          Self.message("old", at: LogExample.start, board: LogExample.board),
          Self.message("gateway", at: now),
          Self.message("new", at: now, board: LogExample.board),
        ], in: store)
      try await store.close()
      func run(_ arguments: String...) async throws -> BuiltProgram.Ending {
        try await BuiltProgram.run(["events"] + arguments, environment: ["STATE_DIRECTORY": directory.path])
      }
      func ids(_ arguments: String...) async throws -> [String] {
        let ending = try await BuiltProgram.run(
          ["events", "--json"] + arguments, environment: ["STATE_DIRECTORY": directory.path])
        #expect(ending.status == 0, "\(ending.errors)")
        return Self.ids(ending.output)
      }
      #expect(try await ids() == ["old", "gateway", "new"])
      #expect(try await ids("--since", "1h") == ["gateway", "new"])
      #expect(try await ids("--board", "c0ffee000001") == ["old", "new"])
      #expect(try await ids("--gateway") == ["gateway"])
      #expect(try await ids("--type", "tap", "--limit", "1") == ["new"])
      let table = try await run()
      #expect(table.output.contains("c0ffee000001      tap single"))
      let none = try await run("--type", "wrist")
      #expect(none.status == 0 && none.errors.contains("no such event is kept"))
      let late = try await run("--since", "1s")
      #expect(late.status == 0 && late.errors.contains("no such event in that time"))
      for wrong in [
        ["--board", "Pump 9"], ["--type", "tab"], ["--since", "yesterday"], ["--gateway", "--adapter", "x"],
      ] {
        let ending = try await BuiltProgram.run(
          ["events"] + wrong, environment: ["STATE_DIRECTORY": directory.path])
        #expect(ending.status == 64 && !ending.errors.isEmpty, "\(wrong)")
      }
    }
  }

  @Test func `F219 who follows sees what was there and what comes, each once, also after a damaged database`()
    async throws
  {
    try await withScratchDirectory { directory in
      let path = "\(directory.path)/metafleet.sqlite"
      var store = try Store(directory: directory.path, executor: InlineExecutor())
      let now = Timestamp.system
      try await Self.record([Self.message("a", at: now), Self.message("b", at: now)], in: store)
      let program = try RunningProgram.start(
        ["events", "--json", "--follow"], environment: ["STATE_DIRECTORY": directory.path])
      var seen: [String] = []
      func read(_ count: Int) async throws {
        for _ in 0..<count { seen += Self.ids(try #require(try await program.nextLine())) }
      }
      try await read(2)
      try await Self.record(
        [Self.message("c", at: now - .seconds(9)), Self.message("d", at: now)], in: store)
      try await read(2)
      try await store.close()
      for part in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + part) }
      store = try Store(directory: directory.path, executor: InlineExecutor())
      try await Self.record([Self.message("e", at: now)], in: store)
      try await read(1)
      #expect(seen == ["a", "b", "c", "d", "e"])
      #expect(try await program.end(with: SIGTERM) == 143)
      try await store.close()
    }
  }

  @Test func `names are those of the file and of commands that admitted boards`() async throws {
    try await withScratchDirectory { directory in
      let store = try Store(directory: directory.path, executor: InlineExecutor())
      try await Self.record([Self.message("a", at: .system, board: LogExample.board)], in: store)
      _ = try await store.boards.admit(
        BoardAdmission(
          board: LogExample.board, document: Array(#"{"name":"Pump 7"}"#.utf8), created: .system,
          admittedBy: "command"))
      try await store.close()
      let ending = try await BuiltProgram.run(
        ["events", "--board", "Pump 7"], environment: ["STATE_DIRECTORY": directory.path])
      #expect(ending.status == 0 && ending.output.contains("Pump 7"), "\(ending.errors)")
    }
  }
}
