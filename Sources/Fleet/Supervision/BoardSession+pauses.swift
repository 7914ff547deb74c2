import FleetModel
import Storage

/// What a board does not log while it is read out: each pause is a gap before what comes next (fault F150).
extension BoardSession {
  /// Just before the write that stops logging. An earlier pause that did not end goes on.
  func pauseBegins() async {
    try? await environment.store.beginLogPause(of: board, boot: orders.boots.count, at: now)
  }

  /// Just before the write that starts it again.
  func pauseEnds() async { try? await environment.store.endLogPause(of: board, at: now) }

  /// Nobody wants it to log any more.
  func forgetPause() async { try? await environment.store.forgetLogPause(of: board) }

  /// The board was seen to log: what it missed is declared, stream by stream. What a reset was part of is told as that.
  func declarePause() async {
    guard let pause = try? await environment.store.logPause(of: board) else { return }
    guard let run = log.run, let until = pause.until, until > pause.since,
      pause.boot == orders.boots.count, run.boot == pause.boot
    else { return await forgetPause() }
    let gaps = run.streams.filter(\.isOurs).map { stream in
      LogGap(
        id: 0, stream: stream.name, from: pause.since, to: until,
        count: stream.samples(in: until - pause.since),
        reason: GapReason.download.rawValue, cause: .pause, position: run.stored)
    }
    guard (try? await environment.store.declareLogPause(of: board, gaps, in: run.id)) != nil else { return }
    await environment.report(.archiveGrew)
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
