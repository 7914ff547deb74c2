/// `maintenance` (MQTT contract 3.10); `drain`, `adapter-reset` and `diagnostics` (MQTT contract 4.1).
enum MaintenanceVerbs {
  static let maintenance = VerbDefinition(
    "maintenance", .board,
    "Keeps alarms about the board quiet for a while; what is recorded goes on as ever.",
    [
      Parameter(
        "for", .duration(atLeast: .seconds(1), atMost: .seconds(30 * 86_400)),
        "how long from now on, such as 2h; replaces what was ordered before"),
      Parameter("reason", .text(1...128), "why, for whoever sees the board meanwhile"),
      Parameter("end", .boolean, standard: false, "whether it is over now"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let isOver = arguments["end"]?.bool ?? false
      let duration = arguments["for"]?.string.flatMap { DurationText.parse($0) }
      guard isOver == (duration == nil) else {
        throw .invalid("maintenance needs either for, such as for=2h, or end=true")
      }
      guard let duration else {
        guard arguments["reason"] == nil else { throw .invalid("reason is for the start of maintenance") }
        return .board(.maintenance(.end))
      }
      let reason = arguments["reason"]?.string
      guard reason?.unicodeScalars.allSatisfy(PrintableText.isPrintable) != false else {
        throw .invalid("reason must not hold control, format or bidirectional characters")
      }
      return .board(.maintenance(.start(for: duration, reason: reason)))
    }
  )
  .answering(
    [
      Parameter("until_ms", .instant, "when it ends by itself; with for"),
      Parameter("ended", .boolean, "whether the board was in maintenance; with end"),
    ], example: ["for": "2h", "reason": "pump is being greased"])

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
