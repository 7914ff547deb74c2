/// `cancel` (MQTT contract 4.1).
enum CancelVerb {
  /// A job's member has the job's identifier with its board's behind it (MQTT contract 9).
  private static let longestIdentifier = 97

  static let cancel = VerbDefinition(
    "cancel", .gateway, "Cancels a command or a job that is waiting or running.",
    [Parameter("id", .identifier(atMost: longestIdentifier), required: true, "identifier of the request")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in .cancel(arguments["id"]?.string ?? "") }
  )
  .answering(
    [Parameter("cancelled", .boolean, required: true, "whether it was cancelled")],
    example: ["id": "01JDB8ZKQ4N8W2M6T5V7X9Z1AB"]
  )
}
