/// `haptic` (MQTT contract 3.2).
enum HapticVerb {
  static let haptic = VerbDefinition(
    "haptic", .board, "Runs the motor or the buzzer once, where one is soldered to the board.",
    [
      Parameter("kind", .choice(["motor", "buzzer"]), standard: "motor", "what runs"),
      Parameter("duty_pct", .number(0...100), "strength of the motor; 100 if left out, not with buzzer"),
      Parameter("pulse_ms", .integer(1...65_535), standard: 500, "how long it runs"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let milliseconds = UInt16(clamping: arguments["pulse_ms"]?.integer ?? 500)
      let strength = arguments["duty_pct"]?.number
      guard arguments["kind"] == "buzzer" else {
        return .device(.haptic(HapticCommand(.motor(percent: strength ?? 100), milliseconds: milliseconds)))
      }
      guard strength == nil else { throw .invalid("the buzzer's strength is fixed; leave duty_pct out") }
      return .device(.haptic(HapticCommand(.buzzer, milliseconds: milliseconds)))
    }
  )
  .answering(
    by: [.linkWrite], failing: [.unsupported], example: ["kind": "motor", "duty_pct": 100, "pulse_ms": 5000])
}
