/// `profile` (MQTT contract 3.4).
enum ProfileVerb {
  static let profile = VerbDefinition(
    "profile", .board, "Makes the board do what a profile says, and drops what verbs changed.",
    [Parameter("name", .name, required: true, "a profile of the configuration")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .profile(arguments["name"]?.string ?? "")
    })
}
