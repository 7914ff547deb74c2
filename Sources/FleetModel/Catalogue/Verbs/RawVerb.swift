/// `raw` (MQTT contract 3.10).
enum RawVerb {
  private static let packet = ParameterType.bytes(2...20)

  static let raw = VerbDefinition(
    "raw", .board, "Sends packets as they are; only where the gateway's allow-list names raw.",
    [
      VerbDefinition.confirmation(),
      Parameter(
        "hex", .either([packet, .list(of: packet, 1...16)]), required: true, "a packet, or up to 16 of them"),
      Parameter("answers", .integer(0...16), standard: 0, "for how many packets from the board to wait"),
      Parameter("timeout_ms", .integer(100...10_000), standard: 1_000, "for how long"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let texts = arguments["hex"]?.array ?? [arguments["hex"] ?? .null]
      let packets = texts.compactMap { $0.string.flatMap { Hex.bytes($0) } }
      for packet in packets { try RawCommand.check(packet) }
      return .device(
        .raw(
          RawCommand(
            packets: packets, answers: Int(arguments["answers"]?.integer ?? 0),
            timeout: .milliseconds(arguments["timeout_ms"]?.integer ?? 1_000))))
    }
  )
  .answering(
    [Parameter("packets", .list(of: .bytes(0...20), 0...16), required: true, "packets from the board")],
    by: [.response, .linkWrite, .writeAcknowledged],
    example: ["confirm": "e5a1c2d3f4b6", "hex": "0b84", "answers": 1])

  /// The packet of the action of that name (MQTT contract 3.6).
  static func action(_ arguments: JSONObject) throws(CommandFailure) -> [UInt8] {
    let parameters = [Parameter("hex", packet, required: true, "the packet")]
    let keys = try ArgumentValidation.validate(arguments, against: parameters, of: "raw").values
    let bytes = keys["hex"]?.string.flatMap { Hex.bytes($0) } ?? []
    try RawCommand.check(bytes)
    return bytes
  }
}
