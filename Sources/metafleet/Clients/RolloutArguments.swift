import FleetModel

/// What `rollout` was asked for, as arguments of the verb `firmware-rollout`: what nobody said is left to the gateway.
struct RolloutArguments: Sendable {
  var version: String
  var isDryRun = false
  var canary: Int?
  /// Ids of boards that get it first.
  var canaries: [String] = []
  var soak: Duration?
  var perHour: Int?
  var parallel: Int?
  var hours: [String] = []
  var allowsBootloader = false
  var isForced = false
  /// When it ends in any case.
  var until: Timestamp?

  /// For the boards of a group.
  func arguments(for group: String) -> JSONObject {
    var arguments: JSONObject = ["confirm": .string(group), "version": .string(version)]
    if isDryRun { arguments["dry_run"] = true }
    arguments["canary"] = canary.map { .integer(Int64($0)) }
    if !canaries.isEmpty { arguments["canaries"] = .array(canaries.map { .string($0) }) }
    arguments["soak"] = soak.map { .string(DurationText.format($0)) }
    if let perHour {
      var ramp: JSONObject = ["per_hour": .integer(Int64(perHour))]
      // It does not fall below where it begins.
      let most = RolloutOptions().mostPerHour
      if perHour > most { ramp["max_per_hour"] = .integer(Int64(perHour)) }
      arguments["ramp"] = .object(ramp)
    }
    arguments["parallel"] = parallel.map { .integer(Int64($0)) }
    if !hours.isEmpty { arguments["hours"] = .array(hours.map { .string($0) }) }
    if allowsBootloader { arguments["allow_bootloader"] = true }
    if isForced { arguments["force"] = true }
    arguments["until_ms"] = until.map { .integer($0.milliseconds) }
    return arguments
  }
}
