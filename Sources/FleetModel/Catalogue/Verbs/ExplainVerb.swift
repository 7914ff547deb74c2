/// `explain` (MQTT contract 3.10).
enum ExplainVerb {
  static let explain = VerbDefinition(
    "explain", .board, "Explains why data are received from the board, or are not, and what happens next.",
    [],
    checked: { (_: JSONObject) throws(CommandFailure) in .board(.explain) }
  )
  .answering(
    [
      Parameter("summary", .text(0...4096), required: true, "in one sentence"),
      Parameter("has_data", .boolean, required: true, "whether data are received"),
      Parameter("ok", .boolean, required: true, "whether the board does what it should"),
      Parameter(
        "causes",
        .rows([
          Parameter("code", .text(1...32), required: true, "cause code"),
          Parameter("reason_code", .text(1...32), "the recorded reason behind it"),
          Parameter("since_ms", .instant, "since when"),
          Parameter("text", .text(0...4096), required: true, "why, in a sentence"),
        ]), required: true, "why, most important first"),
      Parameter(
        "next",
        .rows([
          Parameter("at_ms", .instant, required: true, "when"),
          Parameter("text", .text(0...4096), required: true, "what"),
        ]), required: true, "what happens next"),
    ], example: [:]
  )
}
