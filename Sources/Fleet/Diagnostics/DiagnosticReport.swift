import FleetModel

/// What somebody far away needs to know about a gateway that is not well. A value: facts in, documents out.
struct DiagnosticReport: Sendable {
  var host: HostFacts
  var gateway: String
  var time: Timestamp
  var health: [Metric: Double]
  var adapters: [AdapterReport]
  /// Where each board stands, and how many commands wait for it.
  var boards: [BoardState]
  /// Warnings and errors, oldest first.
  var problems: [String]

  /// A problem is cut to so many characters in the reply; the bundle holds all of it.
  static let longestProblem = 400

  /// What the reply holds beside the bundle's name (at most 64 KiB: MQTT contract 9).
  var summary: JSONObject {
    [
      "version": .string(host.version), "host": .string(host.name), "os": .string(host.operatingSystem),
      "adapters": .array(
        adapters.map { adapter in
          [
            "adapter": .string(adapter.id.description), "name": .string(adapter.name),
            "state": .string(adapter.state), "slots_used": .integer(Int64(adapter.slotsUsed)),
            "slots_total": .integer(Int64(adapter.slotsTotal)),
            "waiting": .integer(Int64(adapter.queue.waiting)),
            "resets": .integer(Int64(adapter.resets)),
          ]
        }),
      "queues": [
        "outbox_messages": .integer(count(.outboxMessages)),
        "outbox_bytes": .integer(count(.outboxBytes)),
        "commands_waiting": .integer(boards.reduce(0) { $0 + Int64($1.orders.commandsWaiting) }),
      ],
      "problems": .array(problems.map { .string(String($0.prefix(Self.longestProblem))) }),
    ]
  }

  /// The files of the bundle.
  var files: [(name: String, bytes: [UInt8])] {
    [
      ("summary.json", JSONWriter.render(summary)),
      ("health.json", JSONWriter.render(measurements)),
      ("boards.jsonl", boards.flatMap { JSONWriter.render(Self.document(of: $0)) + [0x0A] }),
      ("problems.txt", problems.flatMap { Array($0.utf8) + [0x0A] }),
    ]
  }

  private var measurements: JSONObject {
    JSONObject(
      [("ts_ms", .integer(time.milliseconds)), ("gw", .string(gateway))]
        + health.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key.rawValue, .number($0.value)) })
  }

  private func count(_ metric: Metric) -> Int64 { Int64(health[metric] ?? 0) }

  private static func document(of board: BoardState) -> JSONObject {
    var document: JSONObject = [
      "board": .string(board.board.description), "link": .string(board.link.rawValue),
      "commands_waiting": .integer(Int64(board.orders.commandsWaiting)),
      "sessions_24h": .integer(Int64(board.lastDay.sessions)),
      "session_fail_24h": .integer(Int64(board.lastDay.sessionFailures)),
      "samples_lost_24h": .integer(Int64(board.lastDay.samplesLost)),
    ]
    document["reason"] = board.reason.map { .string($0.sentence) }
    document["reason_code"] = board.reason.map { .string($0.code.rawValue) }
    document["rssi_dbm"] = board.rssi.map { .integer(Int64($0)) }
    document["last_seen_ms"] = board.contact.lastSeen.map { .integer($0.milliseconds) }
    return document
  }
}
