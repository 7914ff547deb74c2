/// `drain`, `adapter-reset` and `diagnostics` (MQTT contract 4.1).
enum MaintenanceVerbs {
  static let drain = VerbDefinition(
    "drain", .gateway,
    "Disconnects all boards at a safe point and connects none, until resumed or restarted.",
    [Parameter("resume", .boolean, standard: false, "whether to connect again")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .gateway(.drain(resume: arguments["resume"]?.bool ?? false))
    }
  )
  .answering([Parameter("boards", .count, required: true, "boards disconnected")], example: [:])

  static let resetAdapter = VerbDefinition(
    "adapter-reset", .gateway, "Resets a Bluetooth adapter; its connections are lost.",
    [
      Parameter("adapter", .address, required: true, "which, by its address"),
      Parameter(
        "force", .boolean, standard: false, "whether to reset it although a connection on it transfers data"),
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
      Parameter("boards_lost", .count, required: true, "connections that were closed"),
    ], failing: [.busy, .unsupported], example: ["adapter": "001a7dda7113"]
  )

  static let diagnostics = VerbDefinition(
    "diagnostics", .gateway, "Collects diagnostics: a summary, and a bundle file.", [],
    checked: { (_: JSONObject) throws(CommandFailure) in .gateway(.diagnostics) }
  )
  .answering(
    [
      Parameter("version", .text(1...64), "version of the gateway"),
      Parameter("file", .text(1...4096), "the bundle, in the state directory"),
    ], furtherResults: "versions, adapters, queues, problems", example: [:]
  )
}
