import Dialects
import FleetModel

/// What a person is told when the broker cannot be used. A wrong password and a topic that is refused are two things
/// with two remedies (fault F247).
enum BrokerExplanation {
  /// The broker lets us in and refuses one topic.
  static func denied(publishingOn topic: String, of settings: UplinkConfiguration) -> CommandLineFailure {
    CommandLineFailure(
      .notAllowed,
      "\(user(of: settings)) may not publish on \(printable(topic)); the broker's access list must grant it")
  }

  /// The same of what we want to hear.
  static func denied(reading filters: [String], of settings: UplinkConfiguration) -> CommandLineFailure {
    CommandLineFailure(
      .notAllowed,
      "\(user(of: settings)) may not read \(printable(filters.joined(separator: ", "))); the broker's access list must grant it"
    )
  }

  /// What else to think of where nothing is heard at all: brokers such as mosquitto grant every subscription, and then
  /// keep to themselves what the user may not read.
  static let silence = "or the broker's access list does not let this user read"

  private static func user(of settings: UplinkConfiguration) -> String {
    settings.username.map { "the user \(printable($0))" } ?? "a client without a user name"
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
    case .unusableSecret(let why): CommandLineFailure(.configuration, why)
    case .notAuthorised(let why):
      CommandLineFailure(
        .notAllowed,
        settings.username == nil
          ? "\(broker) lets nobody in without a user name (\(why)); give --username and --password-file"
          : "\(broker) does not know \(user), or refuses the password (\(why)); check --username and --password-file"
      )
    case .denied(let why):
      CommandLineFailure(
        .notAllowed,
        "\(broker) lets \(user) in, but not to this topic (\(why)); its access list must grant it")
    case .unsupportedProtocol:
      CommandLineFailure(.unavailable, "\(broker) supports neither MQTT 5 nor 3.1.1")
    case .sessionTakenOver:
      CommandLineFailure(.unavailable, "another client connected to \(broker) with the same client id")
    case .connectionLost(let why):
      CommandLineFailure(
        .unavailable, "the connection to \(broker) was lost: \(why); if that port wants TLS, give --tls")
    case .refused(_, let why):
      CommandLineFailure(
        .notAllowed, "\(broker) refused the request: \(why); check its access rules for \(user)")
    case .tooLarge: CommandLineFailure(.usage, "the message is larger than \(broker) accepts")
    case .misuse(let why): CommandLineFailure(.internal, why)
    }
  }
}
