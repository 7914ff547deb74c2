import FleetModel
import Foundation
import Storage
import Testing

@testable import metafleet

@Suite struct AuditCommandTests {
  private static func entry(_ id: String, _ target: CommandTarget, at time: Timestamp) -> AuditEntry {
    AuditEntry(
      time: time, target: target, verb: "led", id: id, arguments: Array(#"{"color":"green"}"#.utf8),
      sender: [UserProperty("user", "ada")], isRefusal: true,
      end: AuditEntry.End(stage: "failed", code: "denied", took: .zero))
  }

  /// A state directory in which three requests were refused: an old one, one to another board, one to the group.
  private static func fill(_ directory: String) async throws {
    let store = try Store(directory: directory, executor: InlineExecutor())
    let old = LogExample.start
    let now = Timestamp.system - .seconds(60)
    try await store.audit.note(refusal: entry("old", .board(LogExample.board), at: old), topic: "t")
    try await store.audit.note(refusal: entry("new", .board(LogExample.board), at: now), topic: "t")
    try await store.audit.note(refusal: entry("group", .group("east"), at: now), topic: "t")
    try await store.close()
  }

  @Test func `requests are listed while nobody else runs, by board and by time`() async throws {
    try await withScratchDirectory { directory in
      try await Self.fill(directory.path)
      let environment = ["STATE_DIRECTORY": directory.path]
      func ids(_ arguments: String...) async throws -> [String] {
        let ending = try await BuiltProgram.run(["audit", "--json"] + arguments, environment: environment)
        #expect(ending.status == 0, "\(ending.errors)")
        return ending.output.split(separator: "\n").compactMap {
          $0.firstMatch(of: /"id":"([a-z]+)"/).map { String($0.1) }
        }
      }
      #expect(try await ids() == ["old", "new", "group"])
      #expect(try await ids("--since", "1h") == ["new", "group"])
      #expect(try await ids("--board", "c0ffee000001") == ["old", "new"])
      #expect(try await ids("--limit", "1") == ["group"])
      let table = try await BuiltProgram.run(["audit"], environment: environment)
      #expect(table.output.contains("user=ada"))
      #expect(table.output.contains("refused: denied"))
      let unknown = try await BuiltProgram.run(["audit", "--board", "Pump 9"], environment: environment)
      #expect(unknown.status == 64)
    }
  }

  @Test func `names are those of the configuration file`() async throws {
    try await withScratchDirectory { directory in
      try await Self.fill(directory.path)
      let file = directory.appending(path: "m.yaml")
      let text =
        "storage: { directory: \(directory.path) }\nboards: [{ address: \"C0:FF:EE:00:00:01\", name: Pump 3 }]\n"
      try text.write(to: file, atomically: true, encoding: .utf8)
      let ending = try await BuiltProgram.run(["audit", "--board", "Pump 3", "--config", file.path])
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(ending.output.contains("Pump 3"))
    }
  }
}
