/// `macro-…` (MQTT contract 3.7).
enum MacroVerbs {
  static let record = VerbDefinition(
    "macro-record", .board, "Keeps actions in the board's flash, to be run when told or whenever it starts.",
    [
      TimerVerbs.name,
      Parameter("action", .anything("an action or a list of them"), required: true, "what it does"),
      Parameter("at_boot", .boolean, standard: false, "whether it runs whenever the board starts"),
      TimerVerbs.confirmation,
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .program(
        .recordMacro(
          arguments["name"]?.string ?? "", try ActionParsing.parse(arguments["action"] ?? .null),
          isRunAtBoot: arguments["at_boot"]?.bool ?? false))
    })

  static let run = VerbDefinition(
    "macro-run", .board, "Runs a macro.", [TimerVerbs.name],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .program(.runMacro(arguments["name"]?.string ?? ""))
    })

  static let erase = VerbDefinition(
    "macro-erase", .board, "Erases all macros, and disconnects for that.",
    [
      VerbDefinition.confirmation(),
      Parameter("foreign", .boolean, standard: false, "whether those of others go, too"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .program(.eraseMacros(includingForeign: arguments["foreign"]?.bool ?? false))
    })

  static let list = VerbDefinition(
    "macro-list", .board, "Lists the macros that the board keeps.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .program(.listMacros) })
}
