/// Verbs of gateways (MQTT contract 4.1).
enum GatewayVerbs {
  private static let board = Parameter(
    "board", .text(12...17), required: true, "board id or Bluetooth address")

  static let admit = VerbDefinition(
    "admit", .gateway, "Makes a board ours, or changes what is said of an admitted one.",
    [
      board,
      Parameter("name", .text(1...64), "name for people"),
      Parameter("site", .text(1...64), "where it is"),
      Parameter("profile", .name, "a profile of the configuration"),
      Parameter("groups", .list(of: .name, 0...16), "groups it belongs to"),
      Parameter("labels", .map(of: .text(0...128), 0...16), "labels"),
      Parameter("enabled", .boolean, "whether we may connect to it"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let groups = arguments["groups"]?.array?.compactMap(\.string)
      guard groups?.contains("all") != true else {
        throw .invalid("every board is in the group all by itself; leave it out of groups")
      }
      return .admit(
        Admission(
          board: try boardID(arguments), name: try displayName("name", arguments),
          site: try displayName("site", arguments),
          profile: arguments["profile"]?.string, groups: groups,
          labels: arguments["labels"]?.object.map { labels in
            Dictionary(
              labels.members.map { ($0.key, $0.value.string ?? "") }, uniquingKeysWith: { first, _ in first })
          },
          isEnabled: arguments["enabled"]?.bool))
    })

  static let forget = VerbDefinition(
    "forget", .gateway, "Lets go of a board and removes its topics.",
    [board, Parameter("keep_data", .boolean, standard: true, "whether what was recorded stays on disk")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .forget(try boardID(arguments), keepsData: arguments["keep_data"]?.bool ?? true)
    })

  static let scan = VerbDefinition(
    "scan", .gateway, "Lists the boards in range.",
    [
      Parameter("for_s", .number(1...120), standard: 10, "seconds to listen"),
      Parameter("all", .boolean, standard: false, "also devices that are no boards"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .scan(
        duration: .milliseconds(Int64((arguments["for_s"]?.number ?? 10) * 1000)),
        all: arguments["all"]?.bool ?? false)
    })

  static let reload = VerbDefinition(
    "reload", .gateway, "Reads the configuration file again.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .reload })

  private static func boardID(_ arguments: JSONObject) throws(CommandFailure) -> BoardID {
    guard let board = arguments["board"]?.string.flatMap({ BoardID($0) }) else {
      throw .invalid("board must be twelve hex digits or an address such as E5:A1:C2:D3:F4:B6")
    }
    return board
  }

  /// Nothing that a display, a log line or a comparison could stumble over (MQTT contract 9).
  private static func displayName(_ key: String, _ arguments: JSONObject) throws(CommandFailure) -> String? {
    guard let name = arguments[key]?.string else { return nil }
    guard name.unicodeScalars.allSatisfy(PrintableText.isPrintable), name.first != " ", name.last != " "
    else {
      throw .invalid(
        "\(key) must not hold control, format or bidirectional characters, nor begin or end with a space")
    }
    return name
  }
}
