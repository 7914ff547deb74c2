import FleetModel
import Foundation
import Glibc
import Storage

/// The configuration file on disk: where it is, and what is in it.
struct ConfigurationFile: Hashable, Sendable {
  /// More is no configuration.
  private static let largest = 64_000_000

  /// Where it is; `-` is standard input.
  let path: String

  /// How it is called in what people read.
  var name: String { isStandardInput ? "standard input" : path }

  /// Whether it can be read only once.
  var isStandardInput: Bool { path == "-" }

  /// Where a file is looked for (MQTT contract 8): the option, `METAFLEET_CONFIG`, the user's, the system's.
  enum Place: Hashable, Sendable {
    /// Somebody named it, so it must be there.
    case named(String)
    /// The first of these that is there.
    case usual([String])

    init(option: String?, environment: [String: String]) {
      if let option {
        self = .named(option)
      } else if let named = environment["METAFLEET_CONFIG"], !named.isEmpty {
        self = .named(named)
      } else {
        var usual: [String] = []
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
          usual.append("\(base)/metafleet/metafleet.yaml")
        } else if let home = environment["HOME"], !home.isEmpty {
          usual.append("\(home)/.config/metafleet/metafleet.yaml")
        }
        self = .usual(usual + ["/etc/metafleet/metafleet.yaml"])
      }
    }
  }

  /// Finds the file; nil when nobody named one and none is in a usual place.
  static func find(_ place: Place) -> ConfigurationFile? {
    switch place {
    case .named(let path): ConfigurationFile(path: path)
    case .usual(let paths):
      paths.first { FileManager.default.fileExists(atPath: $0) }.map { ConfigurationFile(path: $0) }
    }
  }

  /// Reads and checks the file. `inspect` looks at the files it names.
  func read(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    inspect: @escaping @Sendable (String) -> FileReferences.Finding = Self.inspect
  ) -> ConfigurationReader.Result {
    let files = references(environment, inspect)
    do throws(ConfigurationProblem) {
      let text = try text()
      var result = ConfigurationReader.read(
        text, hostName: ProcessInfo.processInfo.hostName, files: files)
      result.endsMidLine = text.last.map { !$0.isNewline } ?? false
      return result
    } catch {
      return ConfigurationReader.Result(configuration: FleetConfiguration(), problems: [error])
    }
  }

  /// Reads and checks it as a file for clients.
  func readClient(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    inspect: @escaping @Sendable (String) -> FileReferences.Finding = Self.inspect
  ) -> (uplink: UplinkConfiguration, problems: [ConfigurationProblem]) {
    do throws(ConfigurationProblem) {
      return ConfigurationReader.readClient(try text(), files: references(environment, inspect))
    } catch {
      return (UplinkConfiguration(), [error])
    }
  }

  /// Where files that it names are: beside it; of standard input in the working directory.
  private func references(
    _ environment: [String: String], _ inspect: @escaping @Sendable (String) -> FileReferences.Finding
  ) -> FileReferences {
    FileReferences(
      directory: isStandardInput
        ? FileManager.default.currentDirectoryPath
        : URL(fileURLWithPath: path).deletingLastPathComponent().path,
      credentials: environment["CREDENTIALS_DIRECTORY"], inspect: inspect, read: Self.content)
  }

  private func text() throws(ConfigurationProblem) -> String {
    let bytes: [UInt8]
    do throws(FileContent.Failure) {
      bytes =
        try isStandardInput
        ? FileContent.readStandardInput(atMost: Self.largest)
        : FileContent.read(path, atMost: Self.largest)
    } catch {
      throw ConfigurationProblem(
        .error,
        error.isMissing
          ? "the file does not exist; metafleet config example > \(printable(path)) makes one"
          : error.text("the file"))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
      throw ConfigurationProblem(
        .error, line: 1, column: 1, "the file is \(isWide ? "UTF-16" : "not UTF-8") text; save it as UTF-8")
    }
    return text
  }

  /// What a plain file holds that the configuration names; of pipes nothing, which can be read only once.
  @Sendable private static func content(_ path: String) -> [UInt8]? {
    FileContent.isPipe(path) ? nil : try? FileContent.read(path, atMost: largestCredential)
  }

  private static let largestCredential = 4_000_000

  /// Looks at a file that the configuration names.
  @Sendable static func inspect(_ path: String) -> FileReferences.Finding {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == EACCES ? .unreadable(PathFailure.text(path, "read")) : .missing
    }
    if status.st_mode & S_IFMT == S_IFDIR { return .directory }
    guard access(path, R_OK) == 0 else { return .unreadable(PathFailure.text(path, "read")) }
    return .readable(isWorldReadable: status.st_mode & S_IROTH != 0)
  }
}
