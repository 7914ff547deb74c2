import BoardKit
import FleetModel

/// How far a board's streams are proved by what came of them, by their names (fault F107).
struct StreamVerification: Hashable, Sendable {
  /// Streams whose settings nobody could read back.
  var unverified: Set<String> = []
  /// Streams that were started and must deliver by themselves, and of which no sample came yet.
  var awaited: Set<String> = []
  /// Streams that bring nothing although everything was tried, and what is known of it.
  var failures: [String: CommandFailure] = [:]
  /// Streams of which other samples come than should, and what is known of it.
  var rates: [String: StatedReason] = [:]

  /// How long nothing is said about a setup for want of first samples: streams that are not slow have brought them by
  /// then.
  static let firstSampleTimeout = Duration.seconds(2)
}

extension PacketIntake {
  /// How far the streams are proved by now.
  var verification: StreamVerification {
    var verification = StreamVerification()
    for stream in streams.all {
      if stream.active.doubts.contains(.configUnverified) { verification.unverified.insert(stream.name) }
      if stream.silence.isAwaited { verification.awaited.insert(stream.name) }
      verification.failures[stream.name] = stream.failure
      verification.rates[stream.name] = stream.rate.fault?.reason(asked: askedRate)
    }
    return verification
  }

  /// Samples a second that all streams ask for together.
  private var askedRate: Double {
    streams.all.reduce(0) { sum, stream in
      sum + (stream.active.period.map { $0 > .zero ? 1 / $0.inSeconds : 0 } ?? 0)
    }
  }
}

extension StreamVerification {
  /// What is lastingly wrong with the streams, by their names.
  var troubles: [StreamTrouble] {
    let silent = failures.map { StreamTrouble($0.key, StatedReason(.streamSilent, $0.value.message)) }
    let counted = rates.filter { failures[$0.key] == nil }.map { StreamTrouble($0.key, $0.value) }
    return (silent + counted).sorted { $0.stream < $1.stream }
  }
}
