import Foundation
import Testing

@testable import metafleet

@Suite struct ConfigCommandTests {
  @Test func `check prints every problem with its place and ends with 78`() async throws {
    try await withScratchDirectory { directory in
      let file = directory.appending(path: "a.yaml")
      try Data("mqtt:\n  prot: 1\nlog: { level: infos }\nownership: { store: static }\n".utf8).write(to: file)
      let ending = try await BuiltProgram.run(["config", "check", "--config", file.path])
      #expect(ending.status == 78)
      let lines = ending.output.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines.first?.hasPrefix("\(file.path):2:3: error: mqtt has no key \"prot\"") == true)
      #expect(lines.last?.hasPrefix("\(file.path):4:21: warning: ") == true)
    }
  }

  @Test func `check of the example succeeds`() async throws {
    try await withScratchDirectory { directory in
      let file = directory.appending(path: "example.yaml")
      let example = try await BuiltProgram.run(["config", "example"])
      #expect(example.status == 0)
      try Data(example.output.utf8).write(to: file)
      let ending = try await BuiltProgram.run(
        ["config", "check"], environment: ["METAFLEET_CONFIG": file.path])
      #expect(ending.status == 0)
      #expect(ending.output == "")
    }
  }

  @Test func `check as JSON is one object per line`() async throws {
    try await withScratchDirectory { directory in
      let file = directory.appending(path: "a.yaml")
      try Data("mqqt: {}".utf8).write(to: file)
      let ending = try await BuiltProgram.run(["config", "check", "--json", "--config", file.path])
      #expect(
        ending.output
          == #"{"path":"mqqt","line":1,"column":1,"severity":"error","text":"the file has no key \"mqqt\"; did you mean mqtt?"}"#
          + "\n")
    }
  }

  @Test(arguments: [["--config", "/nowhere/a.yaml"], []])
  func `a missing file ends with 78`(_ arguments: [String]) async throws {
    let ending = try await BuiltProgram.run(
      ["config", "check"] + arguments, environment: ["XDG_CONFIG_HOME": "/nowhere"])
    #expect(ending.status == 78)
  }

  @Test(
    arguments: [
      (["nonsense"], "there are demo, run, scan"), (["confg"], "did you mean config?"),
      (["config", "nonsense"], "there are check, example, schema"),
      (["config", "check", "--nonsense"], "Usage"),
    ])
  func `usage errors end with 64`(_ arguments: [String], words: String) async throws {
    let ending = try await BuiltProgram.run(arguments)
    #expect(ending.status == 64)
    #expect(ending.output == "")
    #expect(ending.errors.contains(words))
  }

  @Test func `the schema is JSON`() async throws {
    let ending = try await BuiltProgram.run(["config", "schema"])
    #expect(ending.status == 0)
    let schema = try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
    #expect(schema?["title"] as? String == "MetaFleet configuration")
  }

  @Test(arguments: ["example", "schema"]) func `what is printed for people is there for programs, too`(
    _ command: String
  ) async throws {
    let ending = try await BuiltProgram.run(["config", command, "--json"])
    #expect(ending.status == 0)
    let lines = ending.output.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines { #expect(line.hasPrefix("{") && line.hasSuffix("}")) }
  }
}
