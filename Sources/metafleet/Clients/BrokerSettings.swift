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
      environment["METAFLEET_MQTT_\(name)"].flatMap { $0.isEmpty ? nil : $0 }
    }
    host = value("HOST")
    username = value("USERNAME")
    passwordFile = value("PASSWORD_FILE")
    if value("PASSWORD") != nil {
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
