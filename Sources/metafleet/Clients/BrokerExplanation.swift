import Dialects
import FleetModel

/// What a person is told when the broker cannot be used.
enum BrokerExplanation {
  /// The broker lets us in and refuses one topic.
  static func denied(publishingOn topic: String, of settings: UplinkConfiguration) -> CommandLineFailure {
    let user = settings.username.map { "the user \(printable($0))" } ?? "a client without a user name"
    return CommandLineFailure(
      .notAllowed, "\(user) may not publish on \(printable(topic)); the broker's access list must grant it")
  }

  static func explain(_ failure: BrokerFailure, of settings: UplinkConfiguration) -> CommandLineFailure {
    let broker = "the broker at \(settings.host):\(settings.effectivePort)"
    let user = settings.username.map { "the user \($0)" } ?? "clients without a user name"
    return switch failure {
    case .unreachable(let why):
      CommandLineFailure(
        .unavailable,
        "\(broker) cannot be reached: \(why); start it, or name another one with --host and --port")
    case .insecure(let why):
      CommandLineFailure(
        .unavailable, "TLS to \(broker) failed: \(why)")
    case .notAuthorised(let why):
      CommandLineFailure(
        .notAllowed, "\(broker) refuses the connection: \(why); check --username and --password-file")
    case .denied(let why):
      CommandLineFailure(
        .notAllowed,
        "\(broker) does not permit this topic: \(why); its access rules must grant it to \(user)")
    case .unsupportedProtocol:
      CommandLineFailure(.unavailable, "\(broker) supports neither MQTT 5 nor 3.1.1")
    case .sessionTakenOver:
      CommandLineFailure(.unavailable, "another client connected to \(broker) with the same client id")
    case .connectionLost(let why):
      CommandLineFailure(
        .unavailable, "the connection to \(broker) was lost: \(why); if that port wants TLS, set mqtt.tls")
    case .refused(_, let why):
      CommandLineFailure(
        .notAllowed, "\(broker) refused the request: \(why); check its access rules for \(user)")
    case .tooLarge: CommandLineFailure(.usage, "the message is larger than \(broker) accepts")
    case .misuse(let why): CommandLineFailure(.internal, why)
    }
  }
}
