/// `replay` (MQTT contract 4.1).
enum ReplayVerb {
  static let replay = VerbDefinition(
    "replay", .gateway, "Publishes delivered messages again, byte for byte.",
    [
      Parameter("from_ms", .instant, required: true, "start of the period"),
      Parameter("to_ms", .instant, "end of the period; now if left out"),
      Parameter("boards", .list(of: .address, 1...500), "of which boards; of all if left out"),
      Parameter(
        "lanes",
        .list(
          of: .choice(ReplayRequest.Lane.allCases.map(\.rawValue)), 1...ReplayRequest.Lane.allCases.count),
        "of which lanes; of all if left out"),
      Parameter("per_s", .integer(1...5_000), standard: 500, "messages a second"),
    ],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      let from = Timestamp(milliseconds: arguments["from_ms"]?.integer ?? 0)
      let to = (arguments["to_ms"]?.integer).map { Timestamp(milliseconds: $0) }
      if let to, to < from { throw .invalid("to_ms lies before from_ms") }
      let lanes = arguments["lanes"]?.array?.compactMap { $0.string.flatMap(ReplayRequest.Lane.init) }
      return .gateway(
        .replay(
          ReplayRequest(
            from: from, to: to,
            boards: arguments["boards"]?.array?.compactMap { $0.string.flatMap { BoardID($0) } },
            lanes: lanes.map(Set.init), rate: Int(arguments["per_s"]?.integer ?? 500))))
    }
  )
  .answering(
    [
      Parameter("messages", .count, required: true, "messages published again"),
      Parameter("samples", .count, required: true, "samples in them"),
    ], failing: [.busy],
    example: ["from_ms": 1_763_660_000_000, "to_ms": 1_763_670_000_000, "lanes": ["record"]]
  )
}
