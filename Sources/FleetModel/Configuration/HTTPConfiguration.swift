/// Metrics, health, the page and what it asks for, over HTTP.
public struct HTTPConfiguration: Hashable, Sendable {
  /// Who may see names of boards and sites, and the page, without a token.
  public enum Audience: String, Sendable, CaseIterable {
    /// Programs on this computer.
    case local
    /// Whoever reaches the address.
    case open
  }

  /// Where requests are awaited; nil: nowhere.
  public var listen: ListenAddress? = .loopback
  /// Who may use a socket in the file system: octal digits.
  public var socketMode = "0660"
  /// Names that requests may be addressed to, besides addresses, `localhost` and those that end in `.local`.
  public var hosts: [String] = []
  /// Who may see names without a token.
  public var audience = Audience.local
  /// A file whose first line is the token: with it everything may be seen from anywhere, and commands be sent.
  public var tokenFile: String?
  /// Which commands may be sent.
  public var commands = HTTPCommandRule()

  /// All defaults.
  public init() {}
}

/// As the section `http` of the file says it.
extension HTTPConfiguration {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    if let text = document["listen"]?.string { listen = ListenAddress(text) }
    socketMode = document["socket_mode"]?.string ?? socketMode
    hosts = document["hosts"]?.array?.compactMap(\.string) ?? hosts
    audience = document["read"]?.word() ?? audience
    tokenFile = document["token_file"]?.string
    commands = HTTPCommandRule(verbs: document["commands"]?.array?.compactMap(\.string))
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = [
      "listen": .string(listen?.description ?? ListenAddress.none), "socket_mode": .string(socketMode),
      "hosts": .array(hosts.map { .string($0) }), "read": .string(audience.rawValue),
    ]
    document["token_file"] = tokenFile.map { .string($0) }
    document["commands"] = commands.verbs.map { .array($0.map { .string($0) }) }
    return document
  }
}
