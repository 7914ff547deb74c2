import FleetModel

/// What a board answers after a factory reset, and what that proves (MQTT contract 3.10). Pure.
enum FactoryResetVerification {
  static let log = LinkIntent.device(.read(ReadRequest(what: "log-length", selectors: [:])))
  static let resources = LinkIntent.device(.read(ReadRequest(what: "resources", selectors: [:])))

  /// Judges the answers to both questions. Programs that the profile wants are back already and prove nothing.
  static func outcome(log: CommandOutcome, resources: CommandOutcome, boot: Int) -> CommandOutcome {
    guard case .done(_, let log) = log, case .done(_, let resources) = resources else {
      return .unknown(message: "the board was reset, but does not report what it stores")
    }
    let counts: JSONObject = [
      "macros": .integer(count("macros", in: resources)),
      "loggers": .integer(count("loggers", in: resources)),
      "entries": log["entries"] ?? .integer(0), "boot": .integer(Int64(boot)),
    ]
    let left = ["macros", "loggers", "entries"].filter { counts[$0] != .integer(0) }
    guard left.isEmpty else {
      return .failed(
        CommandFailure(
          .boardError, "after the reset the board still stores \(left.joined(separator: " and "))",
          data: counts))
    }
    return .done(evidence: .readback, data: counts)
  }

  private static func count(_ key: String, in resources: JSONObject) -> Int64 {
    Int64(resources[key]?.array?.count ?? 0)
  }
}
