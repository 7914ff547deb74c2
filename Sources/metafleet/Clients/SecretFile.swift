import Foundation

/// Reads secrets; their content appears nowhere else (fault F101).
enum SecretFile {
  /// The first line of a file that nobody else may read.
  static func firstLine(of path: String) throws(CommandLineFailure) -> [UInt8] {
    let files = FileReferences(
      directory: FileManager.default.currentDirectoryPath,
      credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"],
      inspect: ConfigurationFile.look)
    do throws(Refusal) {
      let file = try files.resolve(path)
      try files.check(file, isSecret: true)
      guard let content = FileManager.default.contents(atPath: file) else {
        throw Refusal("\(file) cannot be read")
      }
      return Array(content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    } catch {
      throw CommandLineFailure(.configuration, "the password cannot be used: \(error.hint ?? path)")
    }
  }
}
