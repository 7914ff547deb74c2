/// `macro-…` (MQTT contract 3.7).
enum MacroVerbs {
  static let record = VerbDefinition(
    "macro-record", .board, "Stores actions in the board's flash, to be run by macro-run or at every start.",
    [
      TimerVerbs.name,
      Parameter("action", .anything("an action or a list of them"), required: true, "what it does"),
      Parameter("at_boot", .boolean, standard: false, "whether it runs whenever the board starts"),
      TimerVerbs.confirmation,
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(
        .program(
          .recordMacro(
            arguments["name"]?.string ?? "", try ActionParsing.parse(arguments["action"] ?? .null),
            isRunAtBoot: arguments["at_boot"]?.bool ?? false)))
    }
  )
  .answering(
    [
      Parameter("slot", .count, required: true, "its slot"),
      Parameter("packets", .count, required: true, "how many packets it has"),
      Parameter("verified", .boolean, required: true, "whether it was read back"),
    ], by: [.readback, .writeAcknowledged], failing: [.noSlots, .lowBattery, .unsupported, .boardError],
    example: ["name": "hello", "action": [["verb": "led", "args": ["color": "blue", "pattern": "flash"]]]])

  static let run = VerbDefinition(
    "macro-run", .board, "Runs a macro.", [TimerVerbs.name],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.program(.runMacro(arguments["name"]?.string ?? "")))
    }
  )
  .answering(
    [Parameter("slot", .count, required: true, "its slot")], by: [.response, .writeAcknowledged],
    failing: [.boardError], example: ["name": "hello"])

  static let erase = VerbDefinition(
    "macro-erase", .board, "Erases all macros; the board disconnects for it.",
    [
      VerbDefinition.confirmation(),
      Parameter("foreign", .boolean, standard: false, "whether macros of other hosts are erased, too"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.program(.eraseMacros(includingForeign: arguments["foreign"]?.bool ?? false)))
    }
  )
  .answering(
    [Parameter("erased", .count, required: true, "how many there were")],
    by: [.readback, .writeAcknowledged], failing: [.boardError], example: ["confirm": "e5a1c2d3f4b6"])

  static let list = VerbDefinition(
    "macro-list", .board, "Lists the macros stored on the board.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .device(.program(.listMacros)) }
  )
  .answering(
    [
      Parameter(
        "macros",
        .rows([
          Parameter("slot", .count, required: true, "its slot"),
          Parameter("name", .text(1...32), "the name, if this gateway recorded it"),
          Parameter("at_boot", .boolean, required: true, "whether it runs whenever the board starts"),
          Parameter("packets", .count, required: true, "how many packets it has"),
          Parameter("owner", .owner, required: true, "who recorded it"),
        ]), required: true, "all of them"),
      Parameter("source", .choice(["memory"]), "memory: from the gateway's records, not from the board"),
    ], by: [.response], failing: [.boardError], example: [:])
}
