import Foundation

/// Where the file for clients is, which only says how the broker is reached.
enum ClientFile {
  /// What a client command reads of its broker.
  enum Source: Hashable, Sendable {
    /// A file for clients.
    case client(ConfigurationFile)
    /// The daemon's configuration file.
    case daemon(ConfigurationFile)
  }

  /// The option goes first, then what the environment names, then the first that is there: a person's file before the
  /// computer's, one for clients before the daemon's.
  static func find(
    option: String?, environment: [String: String],
    isThere: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
  ) -> Source? {
    if let option { return .daemon(ConfigurationFile(path: option)) }
    if let named = named(environment) { return .client(ConfigurationFile(path: named)) }
    switch ConfigurationFile.Place(option: nil, environment: environment) {
    case .named(let path): return .daemon(ConfigurationFile(path: path))
    case .usual(let paths):
      for path in paths {
        let client = beside(path)
        if isThere(client) { return .client(ConfigurationFile(path: client)) }
        if isThere(path) { return .daemon(ConfigurationFile(path: path)) }
      }
      return nil
    }
  }

  /// The one to check: what the option names, else what client commands take; a failure when there is none.
  static func existing(_ options: ConfigurationOptions) throws(CommandLineFailure) -> ConfigurationFile {
    let environment = ProcessInfo.processInfo.environment
    if let path = options.path { return ConfigurationFile(path: path) }
    if case .client(let file)? = find(option: nil, environment: environment) { return file }
    var places: [String] = []
    if case .usual(let paths) = ConfigurationFile.Place(option: nil, environment: environment) {
      places = paths.map(beside)
    }
    throw CommandLineFailure(
      .configuration,
      "there is no file for clients\(places.isEmpty ? "" : " at " + places.joined(separator: " or ")); name one "
        + "with --config, or make one: metafleet config example --client > client.yaml")
  }

  private static func named(_ environment: [String: String]) -> String? {
    environment["METAFLEET_CLIENT_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// In the folder of the daemon's.
  private static func beside(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/client.yaml"
  }
}
