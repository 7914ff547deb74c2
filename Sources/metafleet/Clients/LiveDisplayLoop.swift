import EventLoops
import FleetModel

/// Draws a display until somebody leaves it, also while the broker is gone.
enum LiveDisplayLoop {
  /// The signal that ended it; nil where somebody left, or the deadline of the session came.
  static func run(_ display: some LiveDisplay, in session: ClientSession) async throws -> Int32? {
    let loop = try EventLoop.named("terminal")
    return try await FullScreen.with(on: loop, onEvent: { session.post($0) }) {
      try await draw(display, session)
    }
  }

  private static func draw(_ first: some LiveDisplay, _ session: ClientSession) async throws -> Int32? {
    var display = first
    var frame = ScreenFrame()
    var outage = BrokerOutage()
    let start = ContinuousClock.now
    session.set(.redraw, after: .zero)
    for await event in session.events {
      let uptime = start.duration(to: .now)
      switch event {
      case .message(let message):
        display.received(message, at: uptime)
        continue
      case .timer(.redraw): session.set(.redraw, after: display.framePeriod)
      case .timer(.restored):
        outage.restored(at: uptime)
        display.restored()
      case .timer(.deadline): return nil
      case .terminal(.key(let key)):
        if !display.press(key) { return key == .interrupt ? Signals.interrupt : nil }
      case .terminal(.signal(let number)): return number
      case .terminal(.resized): break
      case .lost(let failure): outage.lost(because: session.explain(failure).message, at: uptime)
      case .acknowledged, .timer: continue
      }
      if let ended = outage.ended, display.isWhole(after: uptime - ended) { outage.isOver() }
      // Nothing is known of the time since the broker went: the picture is that of then.
      let moment = outage.began ?? uptime
      let size = TerminalSize.current
      let lines = display.lines(
        at: moment, Timestamp.system - (uptime - moment), size, notice: outage.line(at: uptime),
        isColoured: Console.hasColours)
      let text = frame.update(lines, size)
      if !text.isEmpty { try Console.write(text) }
    }
    return nil
  }
}
