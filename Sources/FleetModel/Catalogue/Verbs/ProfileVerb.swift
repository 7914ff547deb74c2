/// `profile` (MQTT contract 3.4).
enum ProfileVerb {
  static let profile = VerbDefinition(
    "profile", .board, "Applies a profile to the board, and drops what verbs changed.",
    [Parameter("name", .name, required: true, "a profile of the configuration")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .board(.profile(arguments["name"]?.string ?? ""))
    }
  )
  .answering(
    [
      Parameter("profile", .text(0...32), required: true, "its name"),
      Parameter("differences", .texts, required: true, "what was changed"),
      Parameter("in_sync", .boolean, required: true, "whether the board is in sync with it"),
    ], by: [.readback], failing: [.unsupported, .noSlots, .boardError], example: ["name": "vibration"])
}
