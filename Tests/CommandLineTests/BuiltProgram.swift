import Foundation
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
    let program = try url
    return try await onThread {
      let errors = Pipe()
      let (process, output) = try start(program, arguments, environment, input: input, errors: errors)
      let text = output.readDataToEndOfFile()
      let complaint = errors.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return Ending(
        status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
        errors: String(decoding: complaint, as: UTF8.self))
    }
  }

  static func start(
    _ program: URL, _ arguments: [String], _ environment: [String: String], input: String? = nil,
    errors: Pipe? = nil
  ) throws -> (Process, FileHandle) {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.environment = environment
    let source = input == nil ? nil : Pipe()
    process.standardInput = source ?? FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors ?? FileHandle.nullDevice
    try process.run()
    // Less than a pipe holds, so nobody waits.
    try source?.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
    try source?.fileHandleForWriting.close()
    return (process, output.fileHandleForReading)
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
  private let process: Process
  private let output: FileHandle

  static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> RunningProgram {
    let (process, output) = try BuiltProgram.start(BuiltProgram.url, arguments, environment)
    return RunningProgram(process: process, output: output)
  }

  /// The next line of its output; nil when there is none any more.
  func nextLine() async throws -> String? {
    try await onThread {
      var bytes: [UInt8] = []
      while let byte = try output.read(upToCount: 1)?.first {
        if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
        bytes.append(byte)
      }
      return nil
    }
  }

  /// Sends a signal and waits for the end; the status.
  func end(with signal: Int32) async throws -> Int32 {
    kill(process.processIdentifier, signal)
    return try await ending()
  }

  /// Waits for the end; the status.
  func ending() async throws -> Int32 {
    try await onThread {
      process.waitUntilExit()
      return process.terminationStatus
    }
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
