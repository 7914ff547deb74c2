import Foundation

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
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = (isCheckOnly ? ["--check"] : []) + [file.path(percentEncoded: false)]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
