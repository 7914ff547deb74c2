import Dialects
import FleetModel

/// What a person is told when the broker cannot be used.
enum BrokerExplanation {
  static func explain(_ failure: BrokerFailure, of settings: UplinkConfiguration) -> CommandLineFailure {
    let broker = "the broker at \(settings.host):\(settings.effectivePort)"
    return switch failure {
    case .unreachable(let why):
      CommandLineFailure(
        .unavailable,
        "\(broker) cannot be reached: \(why); start it, or name another one with --host and --port")
    case .insecure(let why):
      CommandLineFailure(.unavailable, "\(broker) cannot be trusted: \(why); look at mqtt.tls of the file")
    case .notAuthorised(let why):
      CommandLineFailure(.notAllowed, "\(broker) refuses us: \(why); look at --username and --password-file")
    case .unsupportedProtocol:
      CommandLineFailure(.unavailable, "\(broker) speaks neither MQTT 5 nor 3.1.1")
    case .sessionTakenOver:
      CommandLineFailure(.unavailable, "another client took our place at \(broker)")
    case .connectionLost(let why):
      CommandLineFailure(.unavailable, "the connection to \(broker) broke: \(why)")
    case .refused(_, let why): CommandLineFailure(.notAllowed, "\(broker) refuses that: \(why)")
    case .tooLarge: CommandLineFailure(.usage, "that is more than \(broker) takes in one message")
    case .misuse(let why): CommandLineFailure(.internal, why)
    }
  }
}
