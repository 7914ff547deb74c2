/// `gpio` (MQTT contract 3.9).
enum PinVerb {
  static let gpio = VerbDefinition(
    "gpio", .board, "Sets up one GPIO pin: its level, its pull, and which edges are reported.",
    [
      Parameter("pin", .integer(0...15), required: true, "number of the pin"),
      Parameter("output", .choice(["high", "low"]), "level to drive"),
      Parameter("pull", .choice(PinCommand.Pull.allCases.map(\.rawValue)), "pull resistor"),
      Parameter("change", .choice(PinCommand.Change.allCases.map(\.rawValue)), "which edges are reported"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let command = PinCommand(
        pin: UInt8(clamping: arguments["pin"]?.integer ?? 0),
        isHigh: arguments["output"]?.string.map { $0 == "high" },
        pull: arguments["pull"]?.string.flatMap(PinCommand.Pull.init),
        change: arguments["change"]?.string.flatMap(PinCommand.Change.init))
      guard command.isHigh != nil || command.pull != nil || command.change != nil else {
        throw .invalid("gpio needs output, pull or change")
      }
      return .device(.pin(command))
    }
  )
  .answering(
    [Parameter("pin", .count, required: true, "the pin")], by: [.readback, .linkWrite],
    failing: [.unsupported], example: ["pin": 1, "pull": "up", "change": "any"])
}
