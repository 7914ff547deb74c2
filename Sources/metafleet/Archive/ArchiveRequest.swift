import ArgumentParser
import FleetModel

/// A command that reads the archive, sent to the gateway by somebody who may not open its files. Pure.
struct ArchiveRequest: Hashable, Sendable {
  /// What is said of the terminal; nothing else of the caller's environment counts.
  static let variables = ["TERM", "NO_COLOR", "COLUMNS"]
  /// More is no request.
  static let largest = 64_000

  /// The words behind `metafleet`.
  var arguments: [String]
  /// Those of `variables` that are set.
  var environment: [String: String]

  /// One line of JSON.
  var line: [UInt8] {
    let object: JSONObject = [
      "arguments": .array(arguments.map { .string($0) }),
      "environment": .object(
        JSONObject(environment.sorted { $0.key < $1.key }.map { ($0, .string($1)) })),
    ]
    return Array((JSONText.of(.object(object)) + "\n").utf8)
  }

  init(arguments: [String], environment: [String: String]) {
    self.arguments = arguments
    self.environment = environment.filter { Self.variables.contains($0.key) }
  }

  /// nil where the line is none of ours.
  init?(line: some Collection<UInt8>) {
    guard let object = try? StrictJSON.parse(Array(line)).object,
      let words = object["arguments"]?.array?.map(\.string), !words.contains(nil)
    else { return nil }
    var environment: [String: String] = [:]
    for (name, value) in object["environment"]?.object?.members ?? [] { environment[name] = value.string }
    self.init(arguments: words.compactMap(\.self), environment: environment)
  }

  /// What is wrong with it; nil for a command that only reads the archive that is the gateway's.
  var fault: CommandLineFailure? {
    guard !arguments.contains(where: { $0.utf8.contains(0) }),
      let command = try? MetaFleet.parseAsRoot(arguments) as? any ArchiveCommand
    else {
      return CommandLineFailure(
        .usage, "the gateway does that for nobody; it answers events, audit, sessions, export and verify")
    }
    guard command.archive.file.path == nil else {
      return CommandLineFailure(
        .usage, "the gateway reads its own archive only; leave --config out, or run it with sudo")
    }
    return nil
  }
}

/// A command that reads the archive of a gateway on this computer.
protocol ArchiveCommand: ParsableArguments {
  var archive: ArchiveOptions { get }
}
