import FleetModel
import Storage

/// Whether streamed samples are kept as `storage.streams` says, and what is published of it: once when that changes,
/// however many are dropped meanwhile (fault F233). Pure.
struct KeptStreamsStatus: Hashable, Sendable {
  /// What is wrong.
  enum Trouble: String, Hashable, Sendable {
    /// More is streamed than `max_size` has room for: the oldest go before their time.
    case cut
    /// The disk has no room: they go, or are not kept in the first place, before anything else has to wait.
    case dropped
  }

  /// What one round of cleaning came upon.
  struct Round: Hashable, Sendable {
    /// Samples that were given up since the round before for want of room on the disk.
    var dropped = 0
    /// Samples that went because all together are larger than they may be.
    var cut = 0
    /// What is left, and how large it may be.
    var bytes = 0
    var maximumSize = 0
  }

  private(set) var trouble: Trouble?
  /// What is kept, as the store last said.
  var statistics: KeptStatistics?
  /// How many samples were not kept, or not for long enough, as far as rounds have told.
  var judged = 0

  /// Takes a round in. Returns the type of the event that is published, if one is.
  mutating func note(_ round: Round) -> String? {
    let before = trouble
    if round.dropped > 0 {
      trouble = .dropped
    } else if round.cut > 0 {
      trouble = .cut
    } else if trouble == .dropped || round.bytes < round.maximumSize / 10 * 9 {
      // At its limit a stream that pauses is no recovery.
      trouble = nil
    }
    guard trouble != before else { return nil }
    return trouble?.rawValue ?? "recovered"
  }

  /// One sentence for an operator.
  static func advice(_ trouble: Trouble?) -> String? {
    switch trouble {
    case nil: nil
    case .cut:
      "more is streamed than storage.streams.max_size has room for: the oldest samples go before storage.streams.keep is "
        + "over; raise it, keep fewer streams, or let them be"
    case .dropped:
      "the gateway's disk has no room for the samples that storage.streams keeps: they are published, but not kept; free "
        + "space on it"
    }
  }

  /// What health says of it.
  func numbers(at now: Timestamp) -> [Metric: Double] {
    let oldest = statistics?.oldest.map { max(0, (now - $0).inSeconds.rounded()) }
    return [
      .keptSamples: Double(statistics?.amount.samples ?? 0),
      .keptBytes: Double(statistics?.amount.bytes ?? 0), .keptOldest: oldest ?? 0,
      .keptOK: trouble == nil ? 1 : 0,
    ]
  }
}
