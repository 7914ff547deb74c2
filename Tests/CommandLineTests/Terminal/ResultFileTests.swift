import Foundation
import Support
import Testing

@testable import metafleet

@Suite(.timeLimit(.minutes(20))) struct ResultFileTests {
  private static func write(_ text: String, to path: String, isOverwriting: Bool = false) throws {
    let file = try ResultFile(path: path, isOverwriting: isOverwriting)
    try file.write(Array(text.utf8))
    try file.close()
  }

  @Test func `F231 a file that is there stays as it is, unless it is to be overwritten`() async throws {
    try await withScratchDirectory { directory in
      let path = directory.appending(path: "a.csv").path
      try Self.write("first", to: path)
      let failure = #expect(throws: CommandLineFailure.self) { try Self.write("2nd", to: path) }
      #expect(failure?.status == .taken)
      #expect(
        failure?.message.hasSuffix(
          "a.csv is there already and stays as it is; give another name, or --force to overwrite it") == true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "first")
      try Self.write("2nd", to: path, isOverwriting: true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "2nd")
    }
  }

  @Test func `what keeps nothing can be written to, and what cannot be written is told`() async throws {
    try Self.write("a", to: "/dev/null")
    let failure = #expect(throws: CommandLineFailure.self) { try Self.write("a", to: "/dev/full") }
    #expect(
      failure?.status == .taken && failure?.message == "/dev/full cannot be written: No space left on device")
    for path in ["/nowhere/a.csv", "/"] {
      #expect(throws: CommandLineFailure.self) { try Self.write("a", to: path, isOverwriting: true) }
    }
  }

  @Test func `F231 a file that can grow no more holds whole lines, and the command fails`() async throws {
    try await withScratchDirectory { directory in
      _ = try await LogExample.fill(directory.path, entries: 100_000)
      let path = directory.appending(path: "a.csv").path
      let program = try BuiltProgram.url.path
      let ending = try await onThread {
        try SpawnedProgram.run(
          "/bin/sh",
          [
            "-c", #"trap "" XFSZ; ulimit -f 8192; exec "$0" "$@""#, program, "export", "c0ffee000001",
            "--raw", "--output", path,
          ],
          environment: ["STATE_DIRECTORY": directory.path, "PATH": "/usr/bin:/bin"])
      }
      #expect(ending.status == 73 && ending.errors.contains("a.csv cannot be written"), "\(ending.errors)")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasSuffix("\r\n") && text.utf8.count > 1_000_000, "\(text.utf8.count)")
    }
  }
}
