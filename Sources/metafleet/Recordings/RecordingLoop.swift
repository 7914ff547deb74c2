import Dialects
import EventLoops
import FleetModel

/// Writes a recording until somebody ends it, also across a restart of the broker (fault F232).
struct RecordingLoop {
  let session: ClientSession
  let file: ResultFile

  /// So often, or when there is so much, everything is written: a recording that is killed lacks no more.
  private static let period = Duration.seconds(1)
  private static let chunk = 1 << 18

  /// Returns what was recorded, all of it written and its last line behind it.
  func run(_ first: Recording, for span: Duration?) async throws -> Recording {
    var recording = first
    let loop = try EventLoop.named("signals")
    let signals = try Signals.watch(Signals.ends, on: loop) { session.post(.signal($0)) }
    defer { signals.cancel() }
    if let span { session.set(.deadline, after: span) }
    var isLost = false
    try write(&recording)
    session.set(.flush, after: Self.period)
    events: for await event in session.events {
      switch event {
      case .message(let message):
        recording.received(message)
        if recording.count >= Self.chunk { try write(&recording) }
      case .timer(.flush):
        try write(&recording)
        if file.isStandardOutput, Console.isOutputClosed { throw OutputFailure.closedPipe }
        session.set(.flush, after: Self.period)
      case .lost(let failure):
        if !isLost {
          note("\(session.explain(failure).message); the recording goes on as soon as it is back")
        }
        isLost = true
      case .timer(.restored):
        note("the broker is back, and the recording goes on")
        isLost = false
      case .timer(.deadline), .terminal(.signal): break events
      case .acknowledged, .timer, .terminal: break
      }
    }
    recording.end()
    try write(&recording)
    return recording
  }

  private func write(_ recording: inout Recording) throws {
    if recording.count > 0 { try file.write(recording.take()) }
    if showsProgress { Console.draw("\(ProgressBar.erased)\(recording.account.text)") }
  }

  private func note(_ text: String) {
    if showsProgress { Console.draw(ProgressBar.erased) }
    Console.note(text)
  }

  /// Whether somebody watches who does not see the rows themselves.
  private var showsProgress: Bool { Console.isWatched && !(file.isStandardOutput && Console.isTerminal) }
}
