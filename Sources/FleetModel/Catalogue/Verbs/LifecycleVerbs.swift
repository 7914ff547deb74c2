/// How boards restart, sleep and leave (MQTT contract 3.10).
enum LifecycleVerbs {
  static let reset = VerbDefinition(
    "reset", .board, "Resets the board; done when it is connected again with a new reset id.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .device(.reset) }
  )
  .answering(
    [
      Parameter("boot", .count, required: true, "resets seen"),
      Parameter("cause", .text(1...16), "why the board says it started"),
    ], by: [.readback], failing: [.boardError], example: [:])

  static let factoryReset = VerbDefinition(
    "factory-reset", .board,
    "Erases everything that was programmed into the board and everything it has logged.",
    [
      VerbDefinition.confirmation(),
      Parameter(
        "discard", .integer(0...4_294_967_295),
        "how many log entries may be lost: exactly as many as the board stores"
      ),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.factoryReset(discard: arguments["discard"]?.integer))
    }
  )
  .answering(
    [
      Parameter("macros", .count, required: true, "macros left"),
      Parameter("loggers", .count, required: true, "loggers left"),
      Parameter("entries", .count, required: true, "log entries left"),
      Parameter("boot", .count, required: true, "resets seen"),
    ], by: [.readback], failing: [.undownloadedData, .boardError],
    example: ["confirm": "e5a1c2d3f4b6", "discard": 812])

  static let sleep = VerbDefinition(
    "sleep", .board, "Powers the board down until its button is pressed.", [VerbDefinition.confirmation()],
    checked: { (_: JSONObject) throws(CommandFailure) in .device(.sleep) }
  )
  .answering(by: [.response], failing: [.unsupported, .boardError], example: ["confirm": "e5a1c2d3f4b6"])

  static let disconnect = VerbDefinition(
    "disconnect", .board, "Disconnects the board, optionally for a while.",
    [
      Parameter("hold_s", .integer(0...86_400), standard: 0, "seconds before the gateway reconnects"),
      Parameter(
        "by", .choice(DisconnectingSide.allCases.map(\.rawValue)), standard: "board",
        "which side disconnects"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .board(
        .disconnect(
          hold: .seconds(arguments["hold_s"]?.integer ?? 0),
          by: arguments["by"]?.string.flatMap(DisconnectingSide.init) ?? .board))
    }
  )
  .answering(by: [.response], example: ["hold_s": 60])
}
