import BoardKit
import FleetModel

/// How far a board's streams are proved by what came of them, by their names (fault F107).
struct SampleStanding: Hashable, Sendable {
  /// Streams whose settings nobody could read back.
  var unverified: Set<String> = []
  /// Streams that were started and must deliver by themselves, and of which no sample came yet.
  var awaited: Set<String> = []
  /// Streams that bring nothing although everything was tried, and what is known of it.
  var failures: [String: CommandFailure] = [:]

  /// How long nothing is said about a setup for want of first samples: streams that are not slow have brought them by
  /// then.
  static let patience = Duration.seconds(2)
}

extension PacketIntake {
  /// How far the streams are proved by now.
  var standing: SampleStanding {
    var standing = SampleStanding()
    for stream in streams.all {
      if stream.active.doubts.contains(.configUnverified) { standing.unverified.insert(stream.name) }
      if stream.isAwaited { standing.awaited.insert(stream.name) }
      standing.failures[stream.name] = stream.failure
    }
    return standing
  }
}
