import Foundation
import Support

/// Node.js, where this machine has it.
enum JavaScript {
  static let program: URL? =
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(filePath: String($0)).appending(path: "node") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }

  static var isThere: Bool { program != nil }

  /// Runs a script to its end; its status and what it said, errors included.
  static func run(_ script: String, isCheckOnly: Bool = false) throws -> (status: Int32, output: String) {
    guard let program else { return (0, "") }
    let file = FileManager.default.temporaryDirectory.appending(path: "metafleet-\(UUID()).js")
    try Data(script.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let ending = try SpawnedProgram.run(
      program.path(percentEncoded: false),
      (isCheckOnly ? ["--check"] : []) + [file.path(percentEncoded: false)])
    return (ending.status, ending.output + ending.errors)
  }
}
