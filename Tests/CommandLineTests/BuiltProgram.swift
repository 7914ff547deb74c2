import Foundation
import Testing

/// The program that was built beside this test bundle.
enum BuiltProgram {
  struct Ending {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs it to its end with nothing but `environment`.
  static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Ending {
    let program = try #require(Self.url, "metafleet is not beside the test bundle")
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = environment
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Ending(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: complaint, as: UTF8.self))
  }

  static var url: URL? {
    // The test runner lies in the same directory.
    let directory = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let program = directory.appending(path: "metafleet")
    return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
  }
}

/// A directory for one test.
func withScratchDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let directory = FileManager.default.temporaryDirectory.appending(path: "metafleet-test-\(UUID())")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  return try body(directory)
}

/// The built program while it runs.
final class RunningProgram {
  private let process: Process
  private let output: FileHandle

  private init(_ process: Process, _ output: FileHandle) {
    self.process = process
    self.output = output
  }

  static func start(_ arguments: [String], environment: [String: String] = [:]) throws -> RunningProgram {
    let process = Process()
    let output = Pipe()
    let program: URL = try #require(BuiltProgram.url, "metafleet is not beside the test bundle")
    process.executableURL = program
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return RunningProgram(process, output.fileHandleForReading)
  }

  /// The next line of its output; nil when there is none any more.
  func firstLine() -> String? {
    var bytes: [UInt8] = []
    while let byte = try? output.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// Whatever else it says, until it ends; its status.
  func end(with signal: Int32) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Reads no more.
  func closeOutput() { try? output.close() }
}
