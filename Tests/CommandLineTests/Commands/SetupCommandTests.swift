import Foundation
import Testing

@testable import metafleet

@Suite struct SetupCommandTests {
  private let nowhere = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"]

  private func check(_ path: String) async throws -> Int32 {
    try await BuiltProgram.run(["config", "check", "--config", path]).status
  }

  @Test func `F245 options answer all questions, and the file passes config check`() async throws {
    try await withScratchDirectory { directory in
      let path = directory.appending(path: "new/metafleet.yaml").path
      let ending = try await BuiltProgram.run(
        [
          "setup", "--yes", "--host", "broker.example", "--gateway", "floor-3", "--boards",
          "C0:FF:EE:00:00:01,c0ffee000002", "--output", path,
        ], environment: nowhere)
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(try await check(path) == 0)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("C0:FF:EE:00:00:02") && text.contains("id: floor-3"))
    }
  }

  @Test func `F245 three answers are enough, an empty one takes what is proposed`() async throws {
    try await withScratchDirectory { directory in
      let path = directory.appending(path: "metafleet.yaml").path
      let ending = try await BuiltProgram.run(
        ["setup", "--output", path, "--boards", "none"], environment: nowhere, input: "10.0.0.7:1884\n\n")
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(try await check(path) == 0)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("host: \"10.0.0.7\"") && text.contains("port: 1884"))
    }
  }

  @Test func `F245 a file that is there is never touched`() async throws {
    try await withScratchDirectory { directory in
      let file = directory.appending(path: "metafleet.yaml")
      try Data("mine".utf8).write(to: file)
      let ending = try await BuiltProgram.run(
        ["setup", "--yes", "--boards", "none", "--output", file.path], environment: nowhere)
      #expect(ending.status == 73 && ending.errors.contains("is left as it is"))
      #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    }
  }

  @Test func `F245 answers that make no right file leave none`() async throws {
    try await withScratchDirectory { directory in
      let path = directory.appending(path: "metafleet.yaml").path
      let ending = try await BuiltProgram.run(
        [
          "setup", "--yes", "--boards", "none", "--output", path, "--username", "u", "--password-file",
          "/no/such",
        ],
        environment: nowhere)
      #expect(ending.status == 78 && ending.errors.contains("/no/such"))
      #expect(!FileManager.default.fileExists(atPath: path))
      let silent = try await BuiltProgram.run(
        ["setup", "--boards", "none", "--output", path], environment: nowhere, input: "")
      #expect(silent.status == 64 && silent.errors.contains("--yes"))
    }
  }
}
