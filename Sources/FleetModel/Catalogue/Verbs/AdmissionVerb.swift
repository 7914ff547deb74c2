/// `admission` (MQTT contract 4.1).
enum AdmissionVerb {
  static let admission = VerbDefinition(
    "admission", .gateway, "Opens or closes joining for boards that are not listed (permit join).",
    [
      Parameter(
        "mode", .choice(AdmissionPolicy.Mode.allCases.map(\.rawValue)), required: true,
        "which boards may join: listed ones only, all, or all for a while"),
      Parameter("for_s", .integer(1...3_600), "seconds the window is open; 120 if left out"),
      Parameter("profile", .name, "a profile of the configuration, for boards that join"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let mode = arguments["mode"]?.string.flatMap(AdmissionPolicy.Mode.init) ?? .listed
      let seconds = arguments["for_s"]?.integer
      guard mode == .window || seconds == nil else { throw .invalid("for_s is for the mode window") }
      return .gateway(
        .admission(
          mode, duration: mode == .window ? .seconds(seconds ?? 120) : nil,
          profile: arguments["profile"]?.string))
    }
  )
  .answering(
    [
      Parameter("mode", .text(1...16), required: true, "who may join"),
      Parameter("until_ms", .instant, "when the window closes"),
    ], example: ["mode": "window", "for_s": 120]
  )
}
