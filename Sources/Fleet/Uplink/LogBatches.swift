import FleetModel
import Storage

/// The batches that a log lane fills: one open per stream. A batch holds samples of one run of the board, with stamps of
/// one source.
struct LogBatches: Sendable {
  private struct Open: Sendable {
    var batch: SampleBatch
    var run: Int
    var error: Duration?
  }

  private let session: LogSession
  private let drift: Double?
  private var open: [Open?] = []
  private var closed: [SampleBatch] = []

  init(_ session: LogSession, drift: Double?) {
    (self.session, self.drift) = (session, drift)
    open = Array(repeating: nil, count: session.streams.count)
  }

  /// Whether the next sample may go into the stream's open batch.
  func hasRoom(for stream: Int, _ stamp: LogDating.Stamp, longest: Int) -> Bool {
    guard let open = open[stream] else { return false }
    return open.run == stamp.run && (open.error == nil) == (stamp.error == nil)
      && open.batch.times.count < longest
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
    open[stream] = Open(batch: batch, run: stamp.run, error: stamp.error)
  }

  /// Puts a sample into the stream's open batch.
  mutating func append(_ stream: Int, _ stamp: LogDating.Stamp, _ values: ArraySlice<Double>) {
    open[stream]?.batch.times.append(stamp.time)
    open[stream]?.batch.values.append(contentsOf: values)
    if let error = stamp.error, let known = open[stream]?.error, error > known { open[stream]?.error = error }
  }

  /// Closes all; the batches in the order in which they were closed.
  mutating func take(_ state: inout LogLaneState) -> [SampleBatch] {
    for stream in open.indices { close(stream, &state) }
    defer { closed = [] }
    return closed
  }

  private mutating func close(_ stream: Int, _ state: inout LogLaneState) {
    guard var last = open[stream] else { return }
    open[stream] = nil
    last.batch.clock.errorMilliseconds = last.error.map { Double($0.wholeNanoseconds) / 1e6 }
    state.streams[last.batch.stream]?.sequence += last.batch.count
    closed.append(last.batch)
  }
}
