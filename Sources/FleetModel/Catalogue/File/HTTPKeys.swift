/// The section `http` of the configuration file (MQTT contract 7.3).
enum HTTPKeys {
  static let section = ConfigurationKeys.section(
    "http",
    [
      ConfigurationKeys.key(
        "listen", .listenAddress,
        "Where the page, metrics and health are served; none: nowhere."),
      ConfigurationKeys.key(
        "socket_mode", .choice(["0600", "0660", "0666"]),
        "Who may use the socket where listen is one: its owner, the group as well, everybody."),
      ConfigurationKeys.key(
        "hosts", .list(of: .worded("a host name", .word(atMost: 253)), 0...64),
        "Names that requests may be addressed to, besides addresses, localhost and names that end in .local."),
      ConfigurationKeys.key(
        "read", .words(of: HTTPConfiguration.Audience.self),
        "Who sees names and the page without the token: programs on this computer, or whoever reaches the address."
      ),
      ConfigurationKeys.key(
        "token_file", .file(isSecret: true), sample: "credential:http-token", whenMissing: "no token",
        "File whose first line is the token: who has it sees everything and may send commands; credential:<name> for one of systemd's."
      ),
      ConfigurationKeys.key(
        "commands", .list(of: .worded("the name of a verb or *", .word(atMost: 64)), 0...256),
        sample: "[\"*\"]", whenMissing: "as [\"*\"] with a token or where listen is a socket, else none",
        "Verbs that may be sent; * = all but raw, factory-reset, bootloader, firmware-update, firmware-abort, firmware-rollout; []: none."
      ),
    ], defaults: HTTPConfiguration().document, "The page, metrics and health over HTTP.")
}
