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
}
