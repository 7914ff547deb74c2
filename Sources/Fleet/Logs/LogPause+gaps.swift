import FleetModel
import Storage

extension LogPause {
  /// What the streams of a run miss, stream by stream; nil where the pause did not end, or a reset was part of it,
  /// which is declared as that.
  func gaps(in run: LogSession, boot: Int) -> [LogGap]? {
    guard let until, until > since, self.boot == boot, run.boot == boot else { return nil }
    return run.streams.filter(\.isOurs).map { stream in
      LogGap(
        id: 0, stream: stream.name, from: since, to: until, count: stream.samples(in: until - since),
        reason: GapReason.download.rawValue, cause: .pause, position: run.stored)
    }
  }
}

extension LoggedStream {
  /// Samples that would have been taken in a span; -1 where no rate is known.
  func samples(in span: Duration) -> Int {
    let rate = period.map { 1 / max($0.inSeconds, 1e-6) } ?? configuration["rate_hz"]?.number
    guard let rate, rate > 0, rate < 1e6 else { return -1 }
    return Int((max(0, span.inSeconds) * rate).rounded())
  }
}
