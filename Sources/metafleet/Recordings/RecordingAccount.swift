import FleetModel

/// What a recording has and what it lacks (fault F230). Pure.
struct RecordingAccount: Sendable {
  private struct Lane: Hashable {
    var board: BoardID
    var stream: String
  }

  /// The runs of a stream of a board since the recording began.
  private struct Runs {
    var first: ULID
    var coverage: [ULID: SampleCoverage] = [:]
  }

  /// Runs of one stream that are remembered, so that what comes again is known; of earlier ones only what they
  /// lacked is.
  static let runsKept = 16

  /// Samples that are stored, each once.
  private(set) var samples = 0
  /// Samples that were lost before they were published, as far as they could be counted.
  private(set) var lost = 0
  /// Holes that these left, and how many of those could not be counted.
  private(set) var holes = (all: 0, uncounted: 0)
  private var lanes: [Lane: Runs] = [:]
  private var earlier = (missing: 0, gaps: 0)

  /// Takes a batch in; returns which of its samples, by their places, are to be stored: all of them, unless it came
  /// before.
  mutating func add(_ batch: SampleBatch) -> [Range<Int>] {
    let lane = Lane(board: batch.board, stream: batch.stream)
    var runs = lanes[lane] ?? Runs(first: batch.session)
    // A run that began while we listened begins with its first sample; identifiers sort by time.
    let isWhole = batch.session.description > runs.first.description
    var coverage = runs.coverage[batch.session] ?? SampleCoverage(from: isWhole ? 0 : nil)
    let fresh = coverage.add(batch.sequence..<batch.sequence + batch.count)
    runs.coverage[batch.session] = coverage
    if runs.coverage.count > Self.runsKept,
      let oldest = runs.coverage.min(by: { $0.key.description < $1.key.description })
    {
      earlier = (earlier.missing + oldest.value.missing, earlier.gaps + oldest.value.gaps)
      runs.coverage[oldest.key] = nil
    }
    lanes[lane] = runs
    samples += fresh.reduce(0) { $0 + $1.count }
    if fresh.first?.lowerBound == batch.sequence { noteGap(batch.gapBefore) }
    return fresh.map { $0.lowerBound - batch.sequence..<$0.upperBound - batch.sequence }
  }

  private mutating func noteGap(_ count: Int) {
    guard count != 0 else { return }
    holes.all += 1
    if count > 0 { lost += count } else { holes.uncounted += 1 }
  }

  /// How many samples were published while somebody listened, and did not come here.
  var missing: Int { coverages.reduce(earlier.missing) { $0 + $1.missing } }

  /// In how many holes of `seq` they lie.
  var gaps: Int { coverages.reduce(earlier.gaps) { $0 + $1.gaps } }

  var boards: Int { Set(lanes.keys.map(\.board)).count }

  var streams: Int { Set(lanes.keys.map(\.stream)).count }

  private var coverages: [SampleCoverage] { lanes.values.flatMap(\.coverage.values) }

  /// `1250 samples of 2 boards and 3 streams`.
  var text: String {
    "\(CountText.of(samples, "sample")) of \(CountText.of(boards, "board")) and \(CountText.of(streams, "stream"))"
  }

  /// What is missing, for people.
  var complaints: [String] {
    var complaints: [String] = []
    if gaps > 0 {
      let place = CountText.of(gaps, "gap")
      complaints.append(
        "\(CountText.of(missing, "sample")) in \(place) of seq were published and did not come here")
    }
    if holes.all > 0 {
      let rest = holes.uncounted > 0 ? ", \(holes.uncounted) of which nobody could count" : ""
      complaints.append(
        "\(CountText.of(lost, "sample")) were lost before they were published, in \(CountText.of(holes.all, "gap"))\(rest)"
      )
    }
    return complaints
  }
}
