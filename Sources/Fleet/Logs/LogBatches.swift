import FleetModel
import Storage

/// The batches that a log lane fills: one open per stream. A batch holds samples of one run of the board, with stamps
/// of one source.
struct LogBatches: Sendable {
  /// What is looked at for every sample. Apart from the batch, which would be copied each time.
  private struct Mark: Sendable {
    var run: Int
    var count = 0
    /// The largest of the samples' errors; nil where none is known.
    var error: Duration?
  }

  private let session: LogSession
  private let drift: Double?
  private var open: [SampleBatch?] = []
  private var marks: [Mark?] = []
  private var closed: [SampleBatch] = []

  init(_ session: LogSession, drift: Double?) {
    (self.session, self.drift) = (session, drift)
    open = Array(repeating: nil, count: session.streams.count)
    marks = Array(repeating: nil, count: session.streams.count)
  }

  /// Whether the next sample may go into the stream's open batch.
  func hasRoom(for stream: Int, _ stamp: LogDating.Stamp, longest: Int) -> Bool {
    guard let mark = marks[stream] else { return false }
    return mark.run == stamp.run && (mark.error == nil) == (stamp.error == nil) && mark.count < longest
  }

  /// Closes the stream's batch and begins another one.
  mutating func open(
    _ stream: Int, _ name: String, _ logged: LoggedStream, _ stamp: LogDating.Stamp, _ anchor: Timestamp?,
    _ state: inout LogLaneState
  ) {
    close(stream, &state)
    let progress = state.streams[name] ?? .init(gap: state.gapOfAll)
    var batch = SampleBatch(
      board: session.board, stream: name, fields: logged.fields, session: session.id, boot: stamp.boot,
      sequence: progress.sequence, gapBefore: progress.gap,
      clock: ClockQuality(
        source: stamp.error == nil ? .unknown : .boardTick, errorMilliseconds: nil,
        drift: stamp.error == nil ? nil : drift, anchor: anchor),
      configuration: progress.sequence == 0 ? logged.configuration : nil, origin: .flash)
    batch.times.reserveCapacity(LogLane.longestBatch)
    batch.values.reserveCapacity(LogLane.longestBatch * logged.fields.count)
    state.streams[name] = .init(sequence: progress.sequence, gap: 0)
    open[stream] = batch
    marks[stream] = Mark(run: stamp.run, error: stamp.error)
  }

  /// Puts a sample into the stream's open batch.
  mutating func append(_ stream: Int, _ stamp: LogDating.Stamp, _ values: Span<Double>) {
    open[stream]?.times.append(stamp.time)
    for index in values.indices { open[stream]?.values.append(values[index]) }
    marks[stream]?.count += 1
    if let error = stamp.error, let known = marks[stream]?.error, error > known {
      marks[stream]?.error = error
    }
  }

  /// A sample of the stream is missing here; its next batch tells it as a gap.
  mutating func leaveOut(_ stream: Int, _ name: String, _ state: inout LogLaneState) {
    close(stream, &state)
    let gap = state.streams[name, default: .init(gap: state.gapOfAll)].gap
    state.streams[name, default: .init(gap: state.gapOfAll)].gap = LogLaneState.sum(gap, 1)
  }

  /// Closes all that are open: what comes next begins others.
  mutating func end(_ state: inout LogLaneState) {
    for stream in open.indices { close(stream, &state) }
  }

  /// Closes all; the batches in the order in which they were closed.
  mutating func take(_ state: inout LogLaneState) -> [SampleBatch] {
    end(&state)
    defer { closed = [] }
    return closed
  }

  private mutating func close(_ stream: Int, _ state: inout LogLaneState) {
    guard var last = open[stream] else { return }
    last.clock.errorMilliseconds = marks[stream]?.error.map { Double($0.wholeNanoseconds) / 1e6 }
    (open[stream], marks[stream]) = (nil, nil)
    state.streams[last.stream]?.sequence += last.count
    closed.append(last)
  }
}
