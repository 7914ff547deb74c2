import FleetModel

/// Shows the demo while it runs: a live table on a terminal, a line every five seconds in a pipe.
struct DemoDisplay: Sendable {
  let address: String
  let settings: UplinkConfiguration
  let boards: Int
  let json: Bool
  let tally: @Sendable () -> DemoBoard.Tally

  private static let frame = Duration.milliseconds(250)
  private static let linePeriod = Duration.seconds(5)

  /// Shows until it is cancelled; what was seen by then.
  func run() async throws -> DemoBoard {
    try await ClientSession.with(settings) { session in
      var seen = DemoBoard(expecting: boards)
      var screen = LiveScreen()
      let start = ContinuousClock.now
      let isTerminal = Console.isScreen && !json
      try await session.subscribe(to: seen.filters)
      session.set(.redraw, after: isTerminal ? .zero : Self.linePeriod)
      for await event in session.events {
        switch event {
        case .message(let message): seen.received(message)
        case .timer(.redraw):
          let elapsed = start.duration(to: .now)
          do throws(OutputFailure) {
            if isTerminal {
              try screen.draw(
                seen.lines(
                  after: elapsed, tally(), address: address, width: screen.width,
                  isColoured: Console.hasColours))
            } else {
              try Console.line(
                json
                  ? JSONText.of(.object(seen.object(after: elapsed, tally())))
                  : seen.line(after: elapsed, tally()))
            }
            session.set(.redraw, after: isTerminal ? Self.frame : Self.linePeriod)
          } catch {
            // Nobody looks any more: the same as Ctrl-C.
            Signals.askForEnd()
          }
        case .lost(let failure): throw session.explain(failure)
        case .acknowledged, .timer, .terminal: break
        }
      }
      return seen
    }
  }
}
