import Dialects
import FleetModel

/// Name, port, TLS, login and topics of the broker, judged: each needs the one before it.
enum BrokerChecks {
  static func judge(_ facts: BrokerFacts) -> [Diagnosis] {
    connection(facts) + [topics(facts), retained(facts), gateway(facts)]
  }

  /// How far it came.
  private static let stages: [Diagnosis.Check] = [.name, .port, .tls, .login]

  private static func connection(_ facts: BrokerFacts) -> [Diagnosis] {
    if let why = facts.passwordFailure {
      return reached(
        .login, facts,
        with: facts.isRoot
          ? .broken(.login, why, fix: "Write the password into the first line of that file; chmod 600")
          : .unchecked(.login, why, fix: "sudo metafleet doctor"), isEarlierKnown: false)
    }
    guard let failure = facts.failure else { return stages.map { fine($0, facts) } }
    let host = facts.settings.host
    let place = "\(host):\(facts.settings.effectivePort)"
    switch failure {
    case .unreachable(let why) where isName(why):
      return reached(
        .name, facts,
        with: .broken(
          .name, "the name \(host) is not known here: \(why)",
          fix: "Correct mqtt.host, or write its address; getent hosts \(host) tries it"))
    case .unreachable(let why):
      return reached(
        .port, facts,
        with: .broken(
          .port, "nobody answers at \(place): \(why)",
          fix:
            "Start the broker (sudo systemctl start mosquitto), open the port in the firewall, or correct mqtt.host and mqtt.port"
        ))
    case .insecure(let why):
      return reached(
        .tls, facts, with: .broken(.tls, "TLS to \(place) failed: \(why)", fix: "Correct mqtt.tls"))
    case .connectionLost(let why):
      let fix =
        facts.settings.tls == nil
        ? "Where that port wants TLS, set mqtt.tls"
        : "Where that port is the one without TLS, set mqtt.port or tls: false"
      return reached(
        .tls, facts, with: .broken(.tls, "\(place) takes the connection and ends it: \(why)", fix: fix))
    case .notAuthorised(let why):
      return reached(.login, facts, with: login(why, facts))
    default:
      return reached(
        .login, facts, with: .broken(.login, "\(place): \(failure)", fix: "Look into the broker's log"))
    }
  }

  private static func login(_ why: String, _ facts: BrokerFacts) -> Diagnosis {
    guard let user = facts.settings.username else {
      return .broken(
        .login, "the broker lets nobody in without a user name: \(why)",
        fix: "Set mqtt.username and mqtt.password_file")
    }
    return .broken(
      .login, "the broker does not know the user \(user), or refuses the password: \(why)",
      fix:
        "sudo mosquitto_passwd /etc/mosquitto/metafleet.passwd \(user), and the same into the file of mqtt.password_file"
    )
  }

  /// What the resolver says, whose words begin so in all of its libraries.
  private static func isName(_ why: String) -> Bool {
    ["Name or service", "Temporary failure in name", "No address associated", "nodename nor servname"]
      .contains { why.contains($0) }
  }

  /// The stages before this one are fine, those behind it unknown.
  private static func reached(
    _ check: Diagnosis.Check, _ facts: BrokerFacts, with diagnosis: Diagnosis, isEarlierKnown: Bool = true
  ) -> [Diagnosis] {
    guard let index = stages.firstIndex(of: check) else { return [diagnosis] }
    let before = stages[..<index].map {
      isEarlierKnown ? fine($0, facts) : .unchecked($0, "no connection was tried")
    }
    return before + [diagnosis] + stages[(index + 1)...].map { .unchecked($0, "there is no connection") }
  }

  private static func fine(_ check: Diagnosis.Check, _ facts: BrokerFacts) -> Diagnosis {
    let settings = facts.settings
    return switch check {
    case .name: .ok(.name, "\(settings.host) is known")
    case .port: .ok(.port, "somebody answers at port \(settings.effectivePort)")
    case .tls: .ok(.tls, settings.tls == nil ? "no TLS is wanted" : "the broker's certificate is trusted")
    default:
      .ok(
        .login,
        settings.username.map { "the broker lets the user \($0) in" }
          ?? "the broker lets clients in without a user name")
    }
  }

  private static func topics(_ facts: BrokerFacts) -> Diagnosis {
    guard facts.isConnected else { return .unchecked(.topics, "there is no connection to the broker") }
    guard !facts.topics.isEmpty else {
      return .unchecked(.topics, "there is no configuration yet that says which they are")
    }
    let refused = facts.topics.filter { $0.fact == .refused }
    guard refused.isEmpty else {
      let words = refused.map { "\($0.isRead ? "read" : "publish on") \($0.topic)" }
      let user = facts.settings.username.map { "the user \($0)" } ?? "clients without a user name"
      return .broken(
        .topics, "the broker's access list does not let \(user) \(words.joined(separator: ", "))",
        fix:
          "Grant it there: topic readwrite \(facts.settings.base)/# does; /etc/mosquitto/metafleet.acl of the package has what each needs"
      )
    }
    let unknown = facts.topics.count { $0.fact == .unknown }
    guard unknown < facts.topics.count else {
      return .unchecked(.topics, "a broker of MQTT 3.1.1 does not tell what it refuses")
    }
    return .ok(
      .topics,
      "the gateway may publish and read what it has to\(unknown == 0 ? "" : "; of \(unknown) the broker does not tell")"
    )
  }

  private static func retained(_ facts: BrokerFacts) -> Diagnosis {
    guard facts.isConnected else { return .unchecked(.retained, "there is no connection to the broker") }
    if let topic = facts.retainedCommands.first {
      let more = facts.retainedCommands.count - 1
      return .warning(
        .retained,
        "a command is retained on \(topic)\(more > 0 ? ", and \(more) more" : "");"
          + " it is refused each time a gateway connects",
        fix: "mosquitto_pub -r -n -t '\(topic)'")
    }
    let gone = facts.fleet.gateways.filter { id, gateway in
      id != facts.gateway && !gateway.isOnline && isOld(gateway, at: facts.now)
    }.keys.sorted()
    guard let first = gone.first else { return .ok(.retained, "nothing is left over on the broker") }
    return .warning(
      .retained,
      "documents of \(gone.count == 1 ? "a gateway" : "\(gone.count) gateways") that nobody has seen for a week: \(gone.joined(separator: ", "))",
      fix: "Where it does not come back: metafleet forget gateway:\(first) --gone")
  }

  private static let longAbsence = Duration.seconds(7 * 86_400)

  private static func isOld(_ gateway: FleetView.Gateway, at now: Timestamp) -> Bool {
    guard let since = gateway.availability?[.since] else { return gateway.availability == nil }
    return now - since > longAbsence
  }

  private static func gateway(_ facts: BrokerFacts) -> Diagnosis {
    guard facts.isConnected else { return .unchecked(.gateway, "there is no connection to the broker") }
    guard let id = facts.gateway else {
      return .unchecked(.gateway, "there is no configuration yet that says its id")
    }
    guard let gateway = facts.fleet.gateways[id], gateway.isOnline else {
      return .warning(
        .gateway, "\(id) is not running",
        fix: "sudo systemctl start metafleet; journalctl -u metafleet tells why it ended")
    }
    if let version = gateway.info?[.version], version != facts.version {
      return .warning(
        .gateway, "\(id) runs version \(version), this program is \(facts.version)",
        fix: "sudo systemctl restart metafleet")
    }
    if let error = gateway.info?[.configurationError] {
      return .warning(
        .gateway, "\(id) goes by an earlier configuration: \(error)",
        fix: "Correct the file; sudo systemctl reload metafleet")
    }
    if let topics = gateway.info?[.refusedTopics], let first = topics.first {
      return .broken(
        .gateway,
        "the broker refuses what \(id) publishes on \(first)\(topics.count > 1 ? " and \(topics.count - 1) more topics" : "")",
        fix: "Grant it in the broker's access list")
    }
    if let topic = gateway.info?[.refusedSubscriptions]?.first {
      return .broken(
        .gateway, "the broker does not let \(id) hear \(topic): commands may not arrive",
        fix: "Grant it in the broker's access list")
    }
    return .ok(.gateway, "\(id) is online")
  }
}
