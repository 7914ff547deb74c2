import Foundation

/// Reads secrets; their content appears nowhere else (fault F101).
enum SecretFile {
  /// More is no password.
  private static let largest = 1_000_000

  /// The first line of a file that nobody else may read.
  static func firstLine(of path: String) throws(CommandLineFailure) -> [UInt8] {
    let files = FileReferences(
      directory: FileManager.default.currentDirectoryPath,
      credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"],
      inspect: ConfigurationFile.inspect)
    do throws(Refusal) {
      let file = try files.resolve(path)
      try files.check(file, isSecret: true)
      let content: [UInt8]
      do throws(FileContent.Failure) {
        content = try FileContent.read(file, atMost: Self.largest)
      } catch {
        throw Refusal(error.text(file))
      }
      return Array(content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
    } catch {
      throw CommandLineFailure(.configuration, "the password cannot be used: \(error.hint ?? path)")
    }
  }
}
