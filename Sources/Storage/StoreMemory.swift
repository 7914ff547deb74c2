internal import FleetModel

/// What a store knows beside its file, and would be too slow to read from it: a transaction changes both or neither.
struct StoreMemory: Sendable {
  var outbox = OutboxTotals()
  /// Logs that are read out at the moment.
  var readOuts: [ULID: OpenReadOut] = [:]
}
