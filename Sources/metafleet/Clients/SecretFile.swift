import Foundation

/// Reads secrets; their content appears nowhere else (fault F101).
enum SecretFile {
  /// More is no password.
  private static let largest = 1_000_000

  /// Before the name of a variable of the environment that is the secret itself: only the process' own user can read
  /// it.
  static let environmentPrefix = "environment:"

  /// The first line of a file that nobody else may read, or of a variable. `name` is what it is to people.
  static func firstLine(
    of path: String, as name: String = "password"
  ) throws(CommandLineFailure) -> [UInt8] {
    do throws(Refusal) {
      let (content, place) = try content(of: path)
      return try SecretText.firstLine(of: content, in: place)
    } catch {
      throw CommandLineFailure(.configuration, "the \(name) cannot be used: \(error.hint ?? path)")
    }
  }

  private static func content(of path: String) throws(Refusal) -> (bytes: [UInt8], place: String) {
    if path.hasPrefix(environmentPrefix) {
      let name = String(path.dropFirst(environmentPrefix.count))
      return (Array((ProcessInfo.processInfo.environment[name] ?? "").utf8), name)
    }
    let file = try FileReferences.ofOptions.file(path, isSecret: true)
    do throws(FileContent.Failure) { return (try FileContent.read(file, atMost: largest), file) } catch {
      throw Refusal(error.text(file))
    }
  }
}

extension FileReferences {
  /// Where files are that options name: in the working directory, or among systemd's credentials.
  static var ofOptions: FileReferences {
    FileReferences(
      directory: FileManager.default.currentDirectoryPath,
      credentials: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"],
      inspect: ConfigurationFile.inspect)
  }
}
