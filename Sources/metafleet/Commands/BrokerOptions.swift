import ArgumentParser
import FleetModel
import Foundation

/// Options of the commands that are clients of the broker. There is none for the password: the options of a process can
/// be read by everybody on its computer (fault F101).
struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The broker; else $METAFLEET_MQTT_HOST, the file's, localhost.", valueName: "name"))
  var host: String?

  @Option(
    help: ArgumentHelp(
      "Its port; else $METAFLEET_MQTT_PORT, the file's, 1883, with TLS 8883.", valueName: "number"))
  var port: Int?

  @Flag(
    inversion: .prefixedNo,
    help: "TLS, by the system's authorities or --ca; else $METAFLEET_MQTT_TLS, the file's.")
  var tls: Bool?

  @Option(
    help: ArgumentHelp(
      "Trusted authorities, and TLS; else $METAFLEET_MQTT_CA, the file's, the system's.", valueName: "file"),
    completion: .file())
  var ca: String?

  @Option(
    help: ArgumentHelp(
      "Client certificate, and TLS; else $METAFLEET_MQTT_CERT, the file's.", valueName: "file"),
    completion: .file())
  var cert: String?

  @Option(
    help: ArgumentHelp("Its key; else $METAFLEET_MQTT_KEY, the file's.", valueName: "file"),
    completion: .file())
  var key: String?

  @Option(help: ArgumentHelp("User name; else $METAFLEET_MQTT_USERNAME, the file's.", valueName: "name"))
  var username: String?

  @Option(
    help: ArgumentHelp(
      "File with the password in its first line; else $METAFLEET_MQTT_PASSWORD_FILE, $METAFLEET_MQTT_PASSWORD, "
        + "the file's. credential:NAME is one of systemd's.",
      valueName: "file"), completion: .file())
  var passwordFile: String?

  @Option(help: ArgumentHelp("First levels of every topic; else the file's, metafleet.", valueName: "topic"))
  var base: String?

  @OptionGroup var file: ConfigurationOptions

  func validate() throws {
    if let port, !(1...65_535).contains(port) { throw ValidationError("--port must be from 1 to 65535") }
  }

  /// The broker to talk to.
  func settings() throws(CommandLineFailure) -> UplinkConfiguration {
    var settings = try laid(over: try configured())
    do throws(Refusal) { settings.tls = try settings.tls?.resolved(.ofOptions) } catch {
      throw CommandLineFailure(.configuration, "TLS cannot be used: \(error.hint ?? "a file of it is wrong")")
    }
    return settings
  }

  /// The broker of a file with options and environment laid over it.
  func laid(over file: UplinkConfiguration) throws(CommandLineFailure) -> UplinkConfiguration {
    let options = BrokerSettings(
      host: host, port: port, tls: TLSChoice(isWanted: tls, authority: ca, certificate: cert, key: key),
      username: username, passwordFile: passwordFile, base: base)
    let environment = try BrokerSettings(environment: ProcessInfo.processInfo.environment)
    return try options.takenApart().or(environment.takenApart()).laid(over: file)
  }

  /// The file's broker. The daemon's file that is wrong elsewhere is the daemon's business.
  private func configured() throws(CommandLineFailure) -> UplinkConfiguration {
    switch ClientFile.find(option: file.path, environment: ProcessInfo.processInfo.environment) {
    case .client(let file)?:
      let (uplink, problems) = file.readClient()
      try Self.expectNone(of: problems, in: file)
      return uplink
    case .daemon(let file)?:
      let result = file.read { _ in .readable(isWorldReadable: false) }
      try Self.expectNone(
        of: result.problems.filter { $0.path.isEmpty || $0.path.hasPrefix("mqtt") }, in: file)
      return result.configuration.mqtt
    case nil: return UplinkConfiguration()
    }
  }

  private static func expectNone(
    of problems: [ConfigurationProblem], in file: ConfigurationFile
  ) throws(CommandLineFailure) {
    let errors = problems.filter { $0.severity == .error }
    for problem in errors { Console.note(printable(problem.report(in: file.name))) }
    guard errors.isEmpty else { throw CommandLineFailure(.configuration, "") }
  }
}
