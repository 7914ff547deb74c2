/// The section `http` of the configuration file (MQTT contract 7.3).
enum HTTPKeys {
  static let section = ConfigurationKeys.section(
    "http",
    [
      ConfigurationKeys.key(
        "listen", .listenAddress,
        "Where metrics, health and the status page are served; none: nowhere."),
      ConfigurationKeys.key(
        "socket_mode", .choice(["0600", "0660", "0666"]),
        "Who may use the socket where listen is one: its owner, the group as well, everybody."),
      ConfigurationKeys.key(
        "hosts", .list(of: .worded("a host name", .word(atMost: 253)), 0...64),
        "Names that requests may be addressed to, besides addresses, localhost and names that end in .local."),
      ConfigurationKeys.key(
        "read", .words(of: HTTPConfiguration.Audience.self),
        "Who sees names and the status page: programs on this computer, or whoever reaches the address."),
    ], defaults: HTTPConfiguration().document, "Metrics, health and a status page over HTTP.")
}
