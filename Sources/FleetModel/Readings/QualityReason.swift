/// Why values, or their times, may not be right although they can be: the one list of reasons (MQTT contract 1.7,
/// `quality_reasons`). A batch or live sample without any is good.
public enum QualityReason: String, Hashable, Sendable, CaseIterable {
  /// Nobody has read back what the sensor is set to, so that range or rate may be others.
  case configUnverified = "config-unverified"
  /// Fewer samples come than the sensor is set to take.
  case rateLow = "rate-low"
  /// The host's clock was not set, or nobody can tell which time of ours the board's time was.
  case clockUnknown = "clock-unknown"

  /// Adds what the stamp of samples says by itself.
  static func with(_ doubts: Set<QualityReason>, at time: Timestamp?, _ source: ClockQuality.Source?)
    -> Set<QualityReason>
  {
    let isKnown = time?.isPlausible != false && source != .unknown
    return isKnown ? doubts : doubts.union([.clockUnknown])
  }
}

extension SampleBatch {
  /// Why they are uncertain, in the order of the list; empty where they are good. Times that come from a clock that
  /// nobody has set are uncertain by themselves (fault F47).
  public var qualityReasons: [QualityReason] {
    let all = QualityReason.with(doubts, at: times.first, clock.source)
    return all.isEmpty ? [] : QualityReason.allCases.filter(all.contains)
  }
}

extension LiveSample {
  /// As those of its batch on the record lane.
  public var qualityReasons: [QualityReason] {
    let all = QualityReason.with(doubts, at: time, nil)
    return all.isEmpty ? [] : QualityReason.allCases.filter(all.contains)
  }
}
