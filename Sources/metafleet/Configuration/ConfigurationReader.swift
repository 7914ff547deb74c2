import FleetModel

/// Turns the text of a configuration file into a configuration, or into the list of everything wrong with it.
enum ConfigurationReader {
  /// What came of a file.
  struct Result: Sendable {
    /// The configuration; of no use when there are errors.
    var configuration: FleetConfiguration
    /// Everything there is to say, in the order of the file.
    var problems: [ConfigurationProblem]
  }

  /// Reads `text`. `hostName` is the gateway's id where the file has none.
  static func read(_ text: String, hostName: String, files: FileReferences) -> Result {
    var configuration = FleetConfiguration()
    configuration.gateway.id = GatewayName.fitting(hostName)
    var digits = String(StableHash.of(Array(text.utf8)), radix: 16)
    digits = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    configuration.hash = digits

    let root: YAMLNode?
    do throws(ConfigurationProblem) {
      root = try YAMLDocument.read(text)
    } catch {
      return Result(configuration: configuration, problems: [error])
    }
    guard let root else { return Result(configuration: configuration, problems: []) }
    var reading = Reading(files: files)
    ConfigurationSchema.keys.read(root, "", into: &configuration, &reading)
    for reference in reading.profileReferences where configuration.profiles[reference.name] == nil {
      let unknown = ProfileInheritance.unknown(reference.name, among: configuration.profiles.keys)
      reading.error(reference.path, reference.position, "\(reference.path) \(unknown)")
    }
    let problems = reading.problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    return Result(configuration: configuration, problems: problems)
  }
}

/// The gateway's id where the file has none.
enum GatewayName {
  /// A host name made to fit a gateway's name: `[a-z0-9][a-z0-9_-]{0,31}`.
  static func fitting(_ hostName: String) -> String {
    let label = hostName.split(separator: ".", maxSplits: 1).first ?? ""
    var letters = label.lowercased().map { character in
      character.isASCII && (character.isLetter || character.isNumber || character == "_") ? character : "-"
    }
    letters = Array(letters.drop { $0 == "-" || $0 == "_" }.prefix(32))
    return letters.isEmpty ? "gateway" : String(letters)
  }
}
