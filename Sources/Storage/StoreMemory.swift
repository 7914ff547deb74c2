internal import FleetModel

/// What a store knows beside its file, and would be too slow to read from it: a transaction changes both or neither.
struct StoreMemory: Sendable {
  var outbox = OutboxTotals()
  var kept = KeptAmount()
  /// How many events and ends of commands the history keeps.
  var historyRows = 100_000
  /// Logs that are read out at the moment.
  var readOuts: [ULID: OpenReadOut] = [:]
}
