import FleetModel

/// Which broker a client talks to: option, else environment, else file, else default (MQTT contract 8).
struct BrokerSettings: Hashable, Sendable {
  var host: String?
  var port: Int?
  var tls = TLSChoice()
  var username: String?
  var passwordFile: String?
  var base: String?

  /// What the options say.
  init(
    host: String? = nil, port: Int? = nil, tls: TLSChoice = TLSChoice(), username: String? = nil,
    passwordFile: String? = nil, base: String? = nil
  ) {
    self.host = host
    self.port = port
    self.tls = tls
    self.username = username
    self.passwordFile = passwordFile
    self.base = base
  }

  /// What the environment says.
  init(environment: [String: String]) throws(CommandLineFailure) {
    func value(_ name: String) -> String? {
      // Files of variables have ends of lines of their own.
      let text = environment["METAFLEET_MQTT_\(name)"]?.trimmed
      return text?.isEmpty == true ? nil : text
    }
    host = value("HOST")
    username = value("USERNAME")
    passwordFile = value("PASSWORD_FILE")
    if environment["METAFLEET_MQTT_PASSWORD"]?.isEmpty == false {
      guard passwordFile == nil else {
        throw CommandLineFailure(
          .usage, "METAFLEET_MQTT_PASSWORD and METAFLEET_MQTT_PASSWORD_FILE are both set; unset one")
      }
      passwordFile = SecretFile.environmentPrefix + "METAFLEET_MQTT_PASSWORD"
    }
    tls = TLSChoice(authority: value("CA"), certificate: value("CERT"), key: value("KEY"))
    switch value("TLS") {
    case nil: break
    case "true"?: tls.isWanted = true
    case "false"?: tls.isWanted = false
    case let text?:
      throw CommandLineFailure(.usage, "METAFLEET_MQTT_TLS must be true or false, not \(quoted(text))")
    }
    if let text = value("PORT") {
      guard let number = Int(text), (1...65_535).contains(number) else {
        throw CommandLineFailure(
          .usage, "METAFLEET_MQTT_PORT must be a port from 1 to 65535, not \(quoted(text))")
      }
      port = number
    }
  }

  /// These settings, and where they say nothing those of `other`.
  func or(_ other: BrokerSettings) -> BrokerSettings {
    BrokerSettings(
      host: host ?? other.host, port: port ?? other.port, tls: tls.or(other.tls),
      username: username ?? other.username, passwordFile: passwordFile ?? other.passwordFile,
      base: base ?? other.base)
  }

  /// These settings with the host taken apart, which may bring its port and TLS along: `broker:1884`, `mqtts://broker`.
  func takenApart() throws(CommandLineFailure) -> BrokerSettings {
    guard let host else { return self }
    let address: BrokerAddress
    do throws(BrokerAddress.Fault) { address = try BrokerAddress(host) } catch {
      throw CommandLineFailure(.usage, "the broker must be a host name or address \(error.text)")
    }
    if let said = address.port, let port, said != port {
      throw CommandLineFailure(
        .usage, "the broker is given with the port \(said), and with \(port); give one of them")
    }
    var result = self
    (result.host, result.port) = (address.host, port ?? address.port)
    result.tls.isWanted = tls.isWanted ?? address.isSecure
    return result
  }

  /// The file's broker with these settings laid over it.
  func laid(over file: UplinkConfiguration) -> UplinkConfiguration {
    var result = file
    if let host { result.host = host }
    if let port { result.port = port }
    result.tls = tls.laid(over: file.tls)
    if let username { result.username = username }
    if let passwordFile { result.passwordFile = passwordFile }
    if let base { result.base = base }
    return result
  }
}

extension String {
  fileprivate var trimmed: String {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
