/// `drain`, `adapter-reset` and `diagnostics` (MQTT contract 4.1).
enum UpkeepVerbs {
  static let drain = VerbDefinition(
    "drain", .gateway, "Lets go of all boards at a safe point and takes none, until it resumes or restarts.",
    [Parameter("resume", .boolean, standard: false, "whether boards are taken again")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .gateway(.drain(resume: arguments["resume"]?.bool ?? false))
    }
  )
  .answering([Parameter("boards", .count, required: true, "boards let go of")], example: [:])

  static let resetAdapter = VerbDefinition(
    "adapter-reset", .gateway, "Resets a Bluetooth adapter; links on it end.",
    [
      Parameter("adapter", .address, required: true, "which, by its address"),
      Parameter("force", .boolean, standard: false, "whether to do it while a link on it delivers"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      guard let adapter = arguments["adapter"]?.string.flatMap({ AdapterID($0) }) else {
        throw .invalid("adapter-reset needs adapter")
      }
      return .gateway(.resetAdapter(adapter, force: arguments["force"]?.bool ?? false))
    }
  )
  .answering(
    [
      Parameter("adapter", .text(12...12), required: true, "which"),
      Parameter("seconds", .number(0...86_400), required: true, "how long it took"),
      Parameter("boards_lost", .count, required: true, "links that ended"),
    ], failing: [.busy, .unsupported], example: ["adapter": "001a7dda7113"]
  )

  static let diagnostics = VerbDefinition(
    "diagnostics", .gateway, "Collects what helps to find a fault, in a file and in short.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .gateway(.diagnostics) }
  )
  .answering(
    [
      Parameter("version", .text(1...64), "version of the gateway"),
      Parameter("file", .text(1...4096), "the bundle, in the state directory"),
    ], furtherResults: "versions, adapters, queues, problems", example: [:]
  )
}
