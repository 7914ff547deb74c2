import ArgumentParser
import Dialects
import EventLoops
import FleetModel

/// `top`: the fleet at a glance, live.
struct Top: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the whole fleet live: gateways, adapters and boards in numbers.",
    discussion: """
      On a terminal it fills the screen until q or Ctrl-C; narrow terminals show fewer columns. In a pipe, and with \
      --json, it prints the fleet once, with --for every five seconds until that time is over.

      RATE is samples a second, LOST and FAILED are samples and sessions of the last 24 hours, CLOCK is the stated \
      error of the time stamps. Keys sort: n name, l link, b battery, s signal, r rate, x loss, c clock; the same key \
      again, or R, reverses; arrows and page keys scroll.

      Examples:
        metafleet top
        metafleet top --sort battery | head -5
        metafleet top --json --for 1m | jq -r 'select(.samples_per_s == 0).info.name'

      Exit status: 0 shown; 69 no broker; 130 after Ctrl-C.
      """)

  @Option(help: "How the boards are sorted at first.") var sort = BoardSortOrder.Key.name

  @Option(name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "duration"))
  var span: Span?

  @Flag(help: "One JSON object per gateway and per board: their documents, and the board's samples_per_s.")
  var json = false
  @OptionGroup var broker: BrokerOptions

  /// Rates need two samples; live lanes carry some every second.
  private static let firstRedraw = Duration.milliseconds(1_500)
  private static let printPeriod = Duration.seconds(5)

  func run() async throws {
    let isScreen = Console.isScreen && !json
    if !isScreen { Signals.endAtOnce() }
    let signal = try await ClientSession.with(try broker.settings()) { session -> Int32? in
      let fleet = try await session.fleet(.everything)
      try await session.subscribe(to: ["\(session.settings.base)/board/+/live/+"])
      if let span { session.set(.deadline, after: span.duration) }
      let monitor = FleetMonitor(fleet)
      guard isScreen else {
        try await print(monitor, session)
        return nil
      }
      let loop = try EventLoop.named("terminal")
      return try await FullScreen.with(on: loop, onEvent: { session.post($0) }) {
        try await show(monitor, session)
      }
    }
    // As a shell reports it, now that the terminal is as it was.
    if let signal { throw ExitCode(128 + signal) }
  }

  private func print(_ first: FleetMonitor, _ session: ClientSession) async throws {
    var monitor = first
    let start = ContinuousClock.now
    session.set(.redraw, after: Self.firstRedraw)
    var isFirst = true
    for await event in session.events {
      let uptime = start.duration(to: .now)
      switch event {
      case .message(let message): monitor.received(message, at: uptime)
      case .timer(.redraw):
        if !isFirst, !json { try Console.line("") }
        isFirst = false
        for line in lines(of: monitor, at: uptime) { try Console.line(line) }
        if span == nil { return }
        session.set(.redraw, after: Self.printPeriod)
      case .timer(.deadline):
        if isFirst { for line in lines(of: monitor, at: uptime) { try Console.line(line) } }
        return
      case .lost(let failure): throw session.explain(failure)
      case .acknowledged, .timer, .terminal: break
      }
    }
  }

  private func lines(of monitor: FleetMonitor, at uptime: Duration) -> [String] {
    let order = BoardSortOrder(key: sort)
    if json { return monitor.objects(order, at: uptime).map { JSONText.of(.object($0)) } }
    let tables = FleetTables(monitor: monitor, uptime: uptime, now: .system)
    let blocks = [tables.gateways, tables.adapters, tables.boards(order)]
    return Array(blocks.map { $0.lines(isColoured: Console.hasColours) }.joined(separator: [""]))
  }

  /// Until somebody leaves, or the time is over; the signal that ended it.
  private func show(_ first: FleetMonitor, _ session: ClientSession) async throws -> Int32? {
    var monitor = first
    var screen = TopScreen(order: BoardSortOrder(key: sort))
    var frame = ScreenFrame()
    let start = ContinuousClock.now
    session.set(.redraw, after: .zero)
    for await event in session.events {
      let uptime = start.duration(to: .now)
      switch event {
      case .message(let message):
        monitor.received(message, at: uptime)
        continue
      case .timer(.redraw): session.set(.redraw, after: Self.frame)
      case .timer(.deadline): return nil
      case .terminal(.key(let key)):
        if !screen.press(key) { return key == .interrupt ? Signals.interrupt : nil }
      case .terminal(.signal(let number)): return number
      case .terminal(.resized): break
      case .lost(let failure): throw session.explain(failure)
      case .acknowledged, .timer: continue
      }
      let size = TerminalSize.current
      let tables = FleetTables(monitor: monitor, uptime: uptime, now: .system)
      let text = frame.update(screen.lines(tables, size, isColoured: Console.hasColours), size)
      if !text.isEmpty { try Console.write(text) }
    }
    return nil
  }

  private static let frame = Duration.milliseconds(500)
}
