import ArgumentParser
import FleetModel
import Foundation

/// The option of every command that reads the configuration file.
struct ConfigurationOptions: ParsableArguments {
  @Option(
    name: .customLong("config"),
    help: ArgumentHelp(
      "The configuration file. Else $METAFLEET_CONFIG, $XDG_CONFIG_HOME/metafleet/metafleet.yaml, "
        + "/etc/metafleet/metafleet.yaml.", valueName: "file"))
  var path: String?

  /// Where the file is looked for.
  var place: ConfigurationFile.Place {
    ConfigurationFile.Place(option: path, environment: ProcessInfo.processInfo.environment)
  }

  /// Whether somebody named the file.
  var isNamed: Bool { if case .named = place { true } else { false } }

  /// The file; a failure when there is none.
  func existing() throws(CommandLineFailure) -> ConfigurationFile {
    let place = place
    if let file = ConfigurationFile.find(place) { return file }
    guard case .usual(let paths) = place else { throw CommandLineFailure(.configuration, "no file") }
    throw CommandLineFailure(
      .configuration,
      "there is no configuration file at \(paths.joined(separator: " or ")); name one with --config, "
        + "or make one: metafleet config example > metafleet.yaml")
  }
}
