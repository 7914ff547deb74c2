package import FleetModel

/// What is asked of the archive.
package enum Question: Hashable, Sendable {
  /// The sessions there are, of one board or of all.
  case sessions(of: BoardID?)
  case plot(PlotQuestion)
  /// All samples of a session, as a file.
  case samples(ULID, SampleFormat)
  /// The latest events of a board, or of the gateway itself, with the ends of commands; at most so many.
  case events(of: BoardID?, limit: Int)

  /// Of one answer.
  package static let mostEvents = 1_000
  static let usualEvents = 100

  package enum SampleFormat: String, Hashable, Sendable, CaseIterable { case csv, jsonl }
}

/// How a stream of a session went: at most so many stretches of time, each with the smallest and largest values.
package struct PlotQuestion: Hashable, Sendable {
  /// More than a screen has columns.
  package static let mostBuckets = 2_000
  static let usualBuckets = 500

  package var session: ULID
  package var stream: String
  /// Where it begins and ends; nil is where the samples do.
  package var from, to: Timestamp?
  package var buckets: Int

  package init(
    _ session: ULID, stream: String, from: Timestamp? = nil, to: Timestamp? = nil, buckets: Int
  ) {
    (self.session, self.stream, self.from, self.to, self.buckets) = (session, stream, from, to, buckets)
  }
}
