/// Verbs of gateways (MQTT contract 4.1).
enum GatewayVerbs {
  private static let board = Parameter(
    "board", .address, required: true, "which, by its id or address")

  static let admit = VerbDefinition(
    "admit", .gateway, "Admits a board, or changes an admitted one.",
    [
      board,
      Parameter("name", .text(1...64), "name for people"),
      Parameter("site", .text(1...64), "where it is"),
      Parameter("profile", .name, "a profile of the configuration"),
      Parameter("groups", .list(of: .name, 0...16), "groups it belongs to"),
      Parameter("labels", .map(of: .text(0...128), 0...16), "labels"),
      Parameter("enabled", .boolean, "whether the gateway connects to it"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let groups = arguments["groups"]?.array?.compactMap(\.string)
      guard groups?.contains("all") != true else {
        throw .invalid("every board is in the group all anyway; leave it out of groups")
      }
      return .gateway(
        .admit(
          Admission(
            board: try boardID(arguments), name: try displayName("name", arguments),
            site: try displayName("site", arguments),
            profile: arguments["profile"]?.string, groups: groups,
            labels: arguments["labels"]?.object.map { labels in
              Dictionary(
                labels.members.map { ($0.key, $0.value.string ?? "") },
                uniquingKeysWith: { first, _ in first })
            },
            isEnabled: arguments["enabled"]?.bool)))
    }
  )
  .answering(
    [
      Parameter("board", .text(12...12), required: true, "the board"),
      Parameter("created", .boolean, required: true, "whether it is newly admitted"),
    ], example: ["board": "E5:A1:C2:D3:F4:B6", "name": "Pump 3", "profile": "vibration", "groups": ["east"]])

  static let forget = VerbDefinition(
    "forget", .gateway,
    "Removes an admitted board and its retained topics, blocks an address, or removes what is said of an adapter.",
    [
      Parameter("board", .address, "which, by its id or address; or never_connected, or adapter"),
      Parameter("adapter", .address, "an adapter that is missing, by its address"),
      Parameter(
        "never_connected", .boolean, standard: false,
        "all boards that were admitted at run time and were never connected"),
      Parameter(
        "block", .boolean, standard: false,
        "whether the address is not admitted again until admit names it; also of a board that is not admitted"
      ),
      Parameter("keep_data", .boolean, standard: true, "whether its recorded data stay on the disk"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .gateway(
        .forget(
          ForgetRequest(
            try forgotten(arguments), keepsData: arguments["keep_data"]?.bool ?? true,
            blocks: arguments["block"]?.bool ?? false)))
    }
  )
  .answering(
    [
      Parameter("board", .text(12...12), "the board that was named"),
      Parameter("boards", .list(of: .text(12...12), 0...10_000), "the boards that were never connected"),
      Parameter("adapter", .text(12...12), "the adapter that was named"),
      Parameter("topics_cleared", .count, required: true, "retained topics removed"),
      Parameter("entries", .count, "log entries that are deleted; with keep_data false"),
      Parameter("undelivered", .count, "of these, entries that are delivered first; with keep_data false"),
    ], example: ["board": "e5a1c2d3f4b6"])

  static let scan = VerbDefinition(
    "scan", .gateway, "Lists the boards in range.",
    [
      Parameter("for_s", .number(1...120), standard: 10, "seconds to listen"),
      Parameter("all", .boolean, standard: false, "also devices that are not MetaMotion boards"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .gateway(
        .scan(
          duration: .milliseconds(Int64((arguments["for_s"]?.number ?? 10) * 1000)),
          all: arguments["all"]?.bool ?? false))
    }
  )
  .answering(
    [
      Parameter(
        "boards",
        .rows([
          Parameter("board", .text(12...12), required: true, "the board"),
          Parameter("name", .text(0...64), required: true, "advertised name"),
          Parameter("rssi_dbm", .integer(-128...127), "RSSI"),
          Parameter("adapter", .text(12...12), "adapter that received it"),
          Parameter("admitted", .boolean, required: true, "whether it is admitted"),
          Parameter(
            "blocked", .boolean, required: true, "whether its address is blocked (forget with block)"),
          Parameter("model", .text(1...32), "its model"),
          Parameter("owner", .text(1...32), "the gateway that admitted it"),
          Parameter("bootloader", .boolean, required: true, "whether it is in its bootloader"),
        ]), required: true, "strongest first, at most 200")
    ], failing: [.busy, .unreachable], example: [:])

  static let reload = VerbDefinition(
    "reload", .gateway, "Reads the configuration file again.",
    [
      Parameter(
        "confirm", .text(1...64),
        "the gateway's id: a file that lists far fewer boards, or looks half written, is meant as it is")
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .gateway(.reload(isConfirmed: arguments["confirm"] != nil))
    }
  )
  .answering(
    [
      Parameter("changed", .list(of: .text(1...256), 0...10_000), required: true, "keys that changed"),
      Parameter(
        "needs_restart", .list(of: .text(1...256), 0...1_000), required: true,
        "changed keys that take effect after a restart"),
      Parameter(
        "changes",
        .rows([
          Parameter("path", .text(1...256), required: true, "the key, profile or board"),
          Parameter("change", .text(1...16), required: true, "changed, added or removed"),
          Parameter("applied", .boolean, required: true, "false: not before a restart"),
        ]), required: true, "each key that differs, at most 100"),
      Parameter("more_changes", .count, "how many more differ; left out for none"),
      Parameter("file", .text(0...4096), "the file, on the gateway's computer"),
      Parameter(
        "problems",
        .rows([
          Parameter("path", .text(0...256), required: true, "the key"), Parameter("line", .count, "where"),
          Parameter("column", .count, "where in the line"),
          Parameter("severity", .text(1...16), required: true, "error or warning"),
          Parameter("text", .text(0...4096), required: true, "what is wrong"),
        ]), required: true, "what was found, at most 100"),
      Parameter("more_problems", .count, "how many more were found; left out for none"),
    ], example: [:])

  /// Whom `forget` removes: exactly one of the three is named.
  private static func forgotten(_ arguments: JSONObject) throws(CommandFailure) -> ForgetRequest.Target {
    let isForNeverConnected = arguments["never_connected"]?.bool ?? false
    switch (arguments["board"] != nil, isForNeverConnected, arguments["adapter"]) {
    case (true, false, nil): return .board(try boardID(arguments))
    case (false, true, nil): return .neverConnected
    case (false, false, let named?):
      guard let adapter = named.string.flatMap({ AdapterID($0) }) else {
        throw .invalid("adapter must be twelve hex digits or an address such as 00:1A:7D:DA:71:13")
      }
      guard arguments["block"]?.bool != true else { throw .invalid("block is for boards, not for adapters") }
      return .adapter(adapter)
    default: throw .invalid("forget needs exactly one of board, never_connected and adapter")
    }
  }

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
