/// One broker and one session on it.
public struct UplinkConfiguration: Hashable, Sendable {
  /// Which protocol versions to try.
  public enum ProtocolChoice: String, Sendable, CaseIterable {
    case automatic = "auto"
    case mqtt5 = "5"
    case mqtt311 = "3.1.1"
  }

  /// Name or address of the broker.
  public var host = "localhost"
  /// nil = 1883, with TLS 8883.
  public var port: Int?
  /// nil = no TLS.
  public var tls: TLSConfiguration?
  /// Name to log in with.
  public var username: String?
  /// File whose first line is the password.
  public var passwordFile: String?
  /// First levels of every topic.
  public var base = "metafleet"
  /// nil = `metafleet-<gateway id>`.
  public var clientID: String?
  /// Which protocol versions to try.
  public var protocolChoice = ProtocolChoice.automatic
  /// Keepalive of the connection.
  public var keepalive = Duration.seconds(20)
  /// Limit of one attempt to connect.
  public var connectTimeout = Duration.seconds(30)

  /// All defaults.
  public init() {}

  /// The client id of this gateway: the file's, else one that is made of its name.
  public func clientID(of gateway: String) -> String { clientID ?? "metafleet-\(gateway)" }
}

/// As the section `mqtt` of the file says it.
extension UplinkConfiguration {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    let address = document["host"]?.string.flatMap { try? BrokerAddress($0) }
    host = address?.host ?? document["host"]?.string ?? host
    port = document["port"]?.integer.map { Int($0) } ?? address?.port
    tls = document["tls"].flatMap { TLSConfiguration(document: $0) }
    username = document["username"]?.string
    passwordFile = document["password_file"]?.string
    base = document["base"]?.string ?? base
    clientID = document["client_id"]?.string
    protocolChoice = document["protocol"]?.word() ?? protocolChoice
    keepalive = document["keepalive"]?.duration ?? keepalive
    connectTimeout = document["connect_timeout"]?.duration ?? connectTimeout
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = ["host": .string(host)]
    document["port"] = port.map { .integer(Int64($0)) }
    document["tls"] = tls?.document
    document["username"] = username.map { .string($0) }
    document["password_file"] = passwordFile.map { .string($0) }
    document["base"] = .string(base)
    document["client_id"] = clientID.map { .string($0) }
    document["protocol"] = .string(protocolChoice.rawValue)
    document["keepalive"] = .duration(keepalive)
    document["connect_timeout"] = .duration(connectTimeout)
    return document
  }
}
