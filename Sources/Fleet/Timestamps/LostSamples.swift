import FleetModel

/// Samples that a board must have sent and that never came.
struct LostSamples: Hashable, Sendable {
  /// How many, at the rate at which the sensor is known to run.
  var count: Int
  /// Stamps of the last sample before them and of the first one behind.
  var from, to: Timestamp
  /// When the last packet before them came, by uptime.
  var since: Duration
}
