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
