/// `reset` and `disconnect` (MQTT contract 3.10).
enum LifeVerbs {
  static let reset = VerbDefinition(
    "reset", .board, "Restarts the board; done when it is back with another reset id.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .reset })

  static let disconnect = VerbDefinition(
    "disconnect", .board, "Ends the link, and may hold it down for a while.",
    [
      Parameter("hold_s", .integer(0...86_400), standard: 0, "seconds during which we do not connect again"),
      Parameter(
        "by", .choice(DisconnectingSide.allCases.map(\.rawValue)), standard: "board",
        "which side ends the link"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .disconnect(
        hold: .seconds(arguments["hold_s"]?.integer ?? 0),
        by: arguments["by"]?.string.flatMap(DisconnectingSide.init) ?? .board)
    })
}
