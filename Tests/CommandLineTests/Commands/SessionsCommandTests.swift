import Foundation
import FleetModel
import Storage
import Testing

@testable import metafleet

@Suite struct SessionsCommandTests {
  @Test(arguments: [["sessions"], ["export", "x"], ["verify"], ["audit"], ["events"]])
  func `without an archive it is told where one is looked for`(arguments: [String]) async throws {
    let ending = try await BuiltProgram.run(arguments, environment: ["STATE_DIRECTORY": "/nonexistent"])
    #expect(ending.status == 69)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.contains("there is no archive in /nonexistent; --config names"))
  }

  @Test func `sessions are listed while nobody else runs, as a table and as objects`() async throws {
    try await withScratchDirectory { directory in
      let session = try await LogExample.fill(directory.path, entries: 40)
      let environment = ["STATE_DIRECTORY": directory.path]
      let table = try await BuiltProgram.run(["sessions"], environment: environment)
      #expect(table.status == 0)
      #expect(table.output.contains("\(session.id)  c0ffee000001"))
      #expect(table.output.contains("cleared"))
      let objects = try await BuiltProgram.run(
        ["sessions", "c0ff", "--since", "2020-01-01", "--json"], environment: environment)
      #expect(objects.status == 0)
      #expect(objects.output.contains(#""entries_stored":40,"#), "\(objects.output)\(objects.errors)")
      #expect(objects.output.split(separator: "\n").count == 1)
      let none = try await BuiltProgram.run(["sessions", "--since", "1m"], environment: environment)
      #expect(none.status == 0)
      #expect(none.errors.contains("no sessions"))
      let unknown = try await BuiltProgram.run(["sessions", "Pump 9"], environment: environment)
      #expect(unknown.status == 64)
    }
  }

  @Test func `names are those of the configuration file, and a wrong file is 78`() async throws {
    try await withScratchDirectory { directory in
      _ = try await LogExample.fill(directory.path, entries: 4)
      let file = directory.appending(path: "m.yaml")
      let text =
        "storage: { directory: \(directory.path) }\nboards: [{ address: \"C0:FF:EE:00:00:01\", name: Pump 3 }]\n"
      try text.write(to: file, atomically: true, encoding: .utf8)
      let ending = try await BuiltProgram.run(["sessions", "Pump 3", "--config", file.path])
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(ending.output.contains("Pump 3"))
      try "storage: { directory: 5, x: 1 }\n".write(to: file, atomically: true, encoding: .utf8)
      #expect(try await BuiltProgram.run(["verify", "--config", file.path]).status == 78)
    }
  }
}
