import FleetModel

/// Turns the text of a configuration file into a configuration, or into the list of everything wrong with it.
enum ConfigurationReader {
  /// What came of a file.
  struct Result: Sendable {
    /// The configuration; of no use when there are errors.
    var configuration: FleetConfiguration
    /// Everything there is to say, in the order of the file.
    var problems: [ConfigurationProblem]
    /// Whether the last line has no end, as that of a file that somebody is still writing.
    var endsMidLine = false

    /// As a gateway takes it that read it again.
    func checked(_ file: ConfigurationFile) -> CheckedConfiguration {
      CheckedConfiguration(
        configuration, problems: problems, file: file.name, endsMidLine: endsMidLine)
    }
  }

  /// Reads `text`. `hostName` is the gateway's id where the file has none.
  static func read(_ text: String, hostName: String, files: FileReferences) -> Result {
    var configuration = FleetConfiguration()
    configuration.gateway.id = GatewayName.fitting(hostName)
    configuration.timeZone = HostTimeZones.own
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
    let (file, inheritance) = ProfileInheritance.resolved(root)
    var reading = Reading(files: files)
    for fault in inheritance {
      let path = "profiles.\(fault.profile).extends"
      reading.error(path, fault.position, "\(path) \(fault.text)")
    }
    let values = reading.value(file, as: .object(ConfigurationKeys.file), at: "") ?? .null
    let read = ConfigurationReading(values, over: configuration)
    configuration = read.configuration
    reading.report(read.faults, in: file)
    if let name = configuration.gateway.timeZone {
      if let rules = HostTimeZones.rules(named: name) {
        configuration.timeZone = rules
      } else {
        reading.reportUnknownTimeZone(name, in: file)
      }
    }
    reading.reportRepeatedBoards(in: file)
    return Result(configuration: configuration, problems: reading.inOrder)
  }

  /// Reads the text of a file for clients.
  static func readClient(
    _ text: String, files: FileReferences
  ) -> (uplink: UplinkConfiguration, problems: [ConfigurationProblem]) {
    do throws(ConfigurationProblem) {
      guard let root = try YAMLDocument.read(text) else { return (UplinkConfiguration(), []) }
      var reading = Reading(files: files)
      let read = ClientReading(reading.value(root, as: .object(ClientKeys.file), at: "") ?? .null)
      reading.report(read.faults, in: root)
      return (read.uplink, reading.inOrder)
    } catch {
      return (UplinkConfiguration(), [error])
    }
  }
}

extension Reading {
  fileprivate var inOrder: [ConfigurationProblem] {
    problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
  }

  fileprivate mutating func reportUnknownTimeZone(_ name: String, in file: YAMLNode) {
    let advice = TimeZoneName.advice(for: name, among: HostTimeZones.names)
    error(
      "gateway.timezone", file["gateway"]?["timezone"]?.position ?? file.position,
      "gateway.timezone: there is no time zone \(PrintableText.quoted(name)); \(advice)")
  }

  /// Notes boards that are listed more than once.
  fileprivate mutating func reportRepeatedBoards(in file: YAMLNode) {
    var first: [BoardID: Int] = [:]
    for (index, element) in (file["boards"]?.elements ?? []).enumerated() {
      guard let address = element["address"], let board = address.text.flatMap({ BoardID($0) }) else {
        continue
      }
      if let line = first[board] {
        error(
          "boards[\(index)].address", address.position,
          "\(board.address.colonSeparated) is listed twice, first on line \(line); remove one")
      } else {
        first[board] = address.position.line
      }
    }
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
