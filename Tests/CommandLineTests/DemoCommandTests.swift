import Foundation
import Testing

@testable import metafleet

// One after the other: the port that one gives back, the next one takes.
@Suite(.serialized) struct DemoCommandTests {
  @Test func `the demo comes up, counts honestly, and leaves nothing behind`() async throws {
    try await withScratchDirectory { directory in
      let ending = try await BuiltProgram.run(
        ["demo", "--boards", "2", "--for", "6s"], environment: ["TMPDIR": directory.path])
      #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
      let lines = ending.output.split(separator: "\n").map(String.init)
      #expect(lines.first?.hasPrefix("mqtt://127.0.0.1:") == true)
      let words = lines.last?.split(separator: " ").map(String.init) ?? []
      #expect(words.count == 6)
      #expect(
        [words.first, words.dropFirst(2).first, words.dropFirst(4).first] == [
          "received", "published", "dropped",
        ])
      #expect(words.last == "0")
      #expect((Int(words.dropFirst().first ?? "") ?? 0) > 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
      let port = lines.first?.split(separator: ":").last.flatMap { Int($0) } ?? 0
      #expect(LocalPort.isFree(port))
    }
  }

  @Test func `a crash leaves no child and no file behind`() async throws {
    try await withScratchDirectory { directory in
      let program = try RunningProgram.start(
        ["demo", "--boards", "1"], environment: ["TMPDIR": directory.path])
      let line = try #require(try await program.nextLine())
      let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
      // The first status line comes when everything runs.
      _ = try await program.nextLine()
      _ = try await program.end(with: SIGKILL)
      // The guardians hold the program's lifeline, and its output ends with the last of them.
      while try await program.nextLine() != nil {}
      while !LocalPort.isFree(port) || !isEmpty(directory) { await Task.yield() }
    }
  }

  private func isEmpty(_ directory: URL) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path))?.isEmpty == true
  }

  @Test func `a port that is taken is refused`() async throws {
    #expect(try await BuiltProgram.run(["demo", "--models", "x"]).status == 64)
    #expect(try await BuiltProgram.run(["demo", "--port", "0"]).status == 64)
  }
}
