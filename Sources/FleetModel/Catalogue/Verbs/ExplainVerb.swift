/// `explain` (MQTT contract 3.10).
enum ExplainVerb {
  static let explain = VerbDefinition(
    "explain", .board, "Tells why data come from the board, or do not, and what comes next.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .explain })
}
