import FleetModel

@testable import Fleet

extension SessionStream {
  /// Takes a packet of one sample. Returns what turned out to be missing.
  @discardableResult
  func append(
    at time: Timestamp, _ values: [Double], uptime: Duration, into events: inout [FleetEvent]
  ) -> [LostSamples] {
    take(of: [values], at: time, uptime: uptime, into: &events)
  }

  /// Takes a packet that arrived at `time`. Returns what turned out to be missing.
  @discardableResult
  func take(
    of samples: [[Double]], at time: Timestamp, uptime: Duration, setForward: Int64 = 0,
    into events: inout [FleetEvent]
  ) -> [LostSamples] {
    var (entries, values): ([ReadingBuffer.Entry], [Double]) = ([], [])
    for sample in samples {
      let range = values.count..<values.count + sample.count
      entries.append(ReadingBuffer.Entry(stream: StreamKey(0), time: time, values: range))
      values += sample
    }
    take(
      entries.span, values.span, board: .number(1), uptime: uptime, setForward: setForward, into: &events)
    return takeMissed()
  }

  /// Finishes everything.
  func finish(at uptime: Duration = .zero, into events: inout [FleetEvent]) -> [LostSamples] {
    flush(at: uptime, force: true, board: .number(1), into: &events)
    return takeMissed()
  }
}

extension [FleetEvent] {
  var batches: [SampleBatch] { compactMap { if case .batch(let batch) = $0 { batch } else { nil } } }
  var live: [LiveSample] { compactMap { if case .live(let sample) = $0 { sample } else { nil } } }
}
