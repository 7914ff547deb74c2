import Foundation
import Support
import Testing

@testable import metafleet

/// The daemon as a process, in a world without a bus and a broker.
@Suite(.timeLimit(.minutes(20))) struct RunCommandTests {
  /// Starts it; its log comes as its output.
  private static func start(in directory: URL, port: UInt16) throws -> RunningProgram {
    let file = directory.appending(path: "metafleet.yaml")
    try """
    gateway: { id: test }
    mqtt: { host: 127.0.0.1, port: \(port) }
    storage: { directory: "\(directory.path)/state" }

    """.write(to: file, atomically: true, encoding: .utf8)
    return try RunningProgram.start(
      ["-c", #"exec "$0" run --config "$1" 2>&1"#, BuiltProgram.url.path, file.path],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory.path)/no-bus"], path: "/bin/sh")
  }

  /// Reads its log until all of `words` were there; those that never came.
  private static func missing(_ words: Set<String>, in program: RunningProgram) async throws -> Set<String> {
    var missing = words
    while !missing.isEmpty, let line = try await program.nextLine() {
      missing = missing.filter { !line.contains($0) }
    }
    return missing
  }

  /// What in a directory somebody else may read or write, with its mode.
  private static func openToOthers(in directory: String) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: directory).map { "\(directory)/\($0)" }
    #expect(paths.contains { $0.hasSuffix(".sqlite-wal") }, "\(paths)")
    return try (paths + [directory]).compactMap { path in
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0o777
      return mode & 0o077 == 0 ? nil : "\(path) \(String(mode, radix: 8))"
    }
  }

  private static let absences: Set<String> = ["cannot connect to the broker", "Bluetooth is not available"]

  @Test func `F100 F102 it starts without bus and broker, and tells how the last run ended`() async throws {
    try await withScratchDirectory { directory in
      let port = try MosquittoProcess.freePort()
      let note = "\(directory.path)/state/run.json"
      let killed = try Self.start(in: directory, port: port)
      #expect(try await Self.missing(Self.absences, in: killed) == [])
      #expect(try await killed.end(with: SIGKILL) == SIGKILL)
      #expect(FileManager.default.fileExists(atPath: note))
      #expect(try Self.openToOthers(in: "\(directory.path)/state") == [])

      let next = try Self.start(in: directory, port: port)
      let told = Self.absences.union(["the last run of the gateway ended without a word"])
      #expect(try await Self.missing(told, in: next) == [])
      #expect(try await next.end(with: SIGTERM) == 0)
      #expect(!FileManager.default.fileExists(atPath: note), "it was stopped in order")
    }
  }
}
