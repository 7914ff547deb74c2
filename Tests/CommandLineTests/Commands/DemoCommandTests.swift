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
      #expect(lines.dropFirst().first?.hasPrefix("http://127.0.0.1:") == true)
      let words = lines.last?.split(separator: " ").map(String.init) ?? []
      #expect(words.count == 6)
      #expect(
        [words.first, words.dropFirst(2).first, words.dropFirst(4).first] == [
          "received", "published", "dropped",
        ])
      #expect(words.last == "0")
      #expect((Int(words.dropFirst().first ?? "") ?? 0) > 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
      #expect(processes(naming: directory) == [])
    }
  }

  @Test func `a crash leaves no child and no file behind`() async throws {
    try await withScratchDirectory { directory in
      let program = try RunningProgram.start(
        ["demo", "--boards", "1"], environment: ["TMPDIR": directory.path])
      for _ in ["broker", "page"] { _ = try #require(try await program.nextLine()) }
      // The first status line comes when everything runs.
      _ = try await program.nextLine()
      _ = try await program.end(with: SIGKILL)
      // The guardians hold the program's lifeline, and its output ends with the last of them.
      while try await program.nextLine() != nil {}
      #expect(isEmpty(directory))
      #expect(processes(naming: directory) == [])
    }
  }

  /// Command lines of the processes that were started with files in `directory`, as all of the demo's are.
  private func processes(naming directory: URL) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.filter { Int($0) != nil }.compactMap { number in
      FileManager.default.contents(atPath: "/proc/\(number)/cmdline")
        .map { String(decoding: $0, as: UTF8.self) }
    }.filter { $0.contains(directory.path) }
  }

  private func isEmpty(_ directory: URL) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path))?.isEmpty == true
  }

  @Test func `a port that is taken is refused`() async throws {
    #expect(try await BuiltProgram.run(["demo", "--models", "x"]).status == 64)
    #expect(try await BuiltProgram.run(["demo", "--port", "0"]).status == 64)
  }
}
