import ArgumentParser
import FleetModel
import Foundation

/// Options of the commands that are clients of the broker.
struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The broker; else $METAFLEET_MQTT_HOST, the file's, localhost.", valueName: "name"))
  var host: String?

  @Option(help: ArgumentHelp("Its port; else $METAFLEET_MQTT_PORT, the file's, 1883.", valueName: "number"))
  var port: Int?

  @Option(help: ArgumentHelp("User name; else $METAFLEET_MQTT_USERNAME, the file's.", valueName: "name"))
  var username: String?

  @Option(
    help: ArgumentHelp(
      "File with the password in its first line; else $METAFLEET_MQTT_PASSWORD_FILE, the file's.",
      valueName: "file"))
  var passwordFile: String?

  @Option(help: ArgumentHelp("First levels of every topic; else the file's, metafleet.", valueName: "topic"))
  var base: String?

  @OptionGroup var file: ConfigurationOptions

  func validate() throws {
    if let port, !(1...65_535).contains(port) { throw ValidationError("--port must be from 1 to 65535") }
  }

  /// The broker to talk to.
  func settings() throws(CommandLineFailure) -> UplinkConfiguration {
    let options = BrokerSettings(
      host: host, port: port, username: username, passwordFile: passwordFile, base: base)
    let environment = try BrokerSettings(environment: ProcessInfo.processInfo.environment)
    return options.or(environment).laid(over: try configured())
  }

  /// The file's broker; a file that is wrong elsewhere is the daemon's business.
  private func configured() throws(CommandLineFailure) -> UplinkConfiguration {
    guard let file = ConfigurationFile.find(file.place) else { return UplinkConfiguration() }
    let result = file.read { _ in .readable(isWorldReadable: false) }
    let errors = result.problems.filter { problem in
      problem.severity == .error && (problem.path.isEmpty || problem.path.hasPrefix("mqtt"))
    }
    for problem in errors { Console.note(printable(problem.report(in: file.path))) }
    guard errors.isEmpty else { throw CommandLineFailure(.configuration, "") }
    return result.configuration.mqtt
  }
}
