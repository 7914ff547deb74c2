import Foundation
import Support
import Testing

/// The program that was built beside this test bundle. Whatever blocks does so on a thread of its own: the pool has
/// few, and those under test need them.
enum BuiltProgram {
  struct Ending: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs it to its end with nothing but `environment`.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil
  ) async throws -> Ending {
    let program = try url.path
    return try await onThread {
      let ending = try SpawnedProgram.run(program, arguments, environment: environment, input: input)
      return Ending(status: ending.status, output: ending.output, errors: ending.errors)
    }
  }

  /// The test runner lies in the same directory.
  static var url: URL {
    get throws {
      let directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      let program = directory.appending(path: "metafleet")
      try #require(FileManager.default.isExecutableFile(atPath: program.path), "metafleet is not built")
      return program
    }
  }
}

/// The built program while it runs.
struct RunningProgram: Sendable {
  private let program: SpawnedProgram
  private let output: FileHandle

  /// Starts the built program, or the one at `path`. Its output ends with the last of its children.
  static func start(
    _ arguments: [String], environment: [String: String] = [:], path: String? = nil,
    isReadBySocket: Bool = false
  ) throws -> RunningProgram {
    // A pipe, as a shell makes it, or a socket, as Node does; no other child keeps its ends open.
    var ends: [Int32] = [-1, -1]
    try #require(
      (isReadBySocket ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    defer { close(ends[1]) }
    let program = try SpawnedProgram(
      path ?? BuiltProgram.url.path, arguments, environment: environment,
      files: .init(output: ends[1], heirloom: ends[1]))
    return RunningProgram(program: program, output: output)
  }

  /// The next line of its output; nil when there is none any more.
  func nextLine() async throws -> String? {
    try await unlessCancelled { try readLine() }
  }

  private func readLine() throws -> String? {
    var bytes: [UInt8] = []
    while let byte = try output.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// A test whose time is over ends the program, so that nobody waits for what never comes.
  private func unlessCancelled<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withTaskCancellationHandler {
      try await onThread(body)
    } onCancel: {
      program.send(SIGKILL)
    }
  }

  /// Sends a signal and waits for the end; the status.
  func end(with signal: Int32) async throws -> Int32 {
    program.send(signal)
    return try await ending()
  }

  /// Sends a signal as soon as a line begins with `prefix`, and waits for the end; the status, and every line. The
  /// thread that reads sends it: a program that is nearly done would have ended before a busy pool came to it.
  func end(with signal: Int32, atLineBeginning prefix: String) async throws -> (
    status: Int32, lines: [String]
  ) {
    try await unlessCancelled {
      var lines: [String] = []
      while let line = try readLine() {
        lines.append(line)
        if line.hasPrefix(prefix) { program.send(signal) }
      }
      return (program.wait(), lines)
    }
  }

  /// Waits for the end; the status.
  func ending() async throws -> Int32 {
    try await unlessCancelled { program.wait() }
  }

  /// Reads no more.
  func closeOutput() { try? output.close() }
}

func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// A directory for one test.
func withScratchDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
  let directory = FileManager.default.temporaryDirectory.appending(path: "metafleet-test-\(UUID())")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  return try await body(directory)
}
