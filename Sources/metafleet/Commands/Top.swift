import ArgumentParser
import Dialects
import FleetModel

/// `top`: the fleet at a glance, live.
struct Top: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the whole fleet live: gateways, adapters and boards in numbers.",
    discussion: """
      On a terminal it fills the screen until q or Ctrl-C; narrow terminals show fewer columns and shorter names. When \
      the broker goes, the last picture stays, says since when, and goes on by itself. In a pipe, and with --json, it \
      prints the fleet once, with --for every five seconds until that time is over.

      BOARDS is how many are online, RATE samples a second, LOST and FAILED are samples and sessions of the last 24 \
      hours, CLOCK is the stated error of the time stamps, TROUBLE says why a board is not online, or does not do what \
      it should. waiting-to-connect: places are free and it is not its turn yet; waiting-for-slot: all are taken. – is \
      not known, or was said by a gateway that is gone.

      ALARM lists what the gateways say somebody should see to, and for how long it is so; metafleet send \
      gateway:floor-3 alarm-acknowledge board=e5a1c2d3f4b6 notes that somebody has.

      Keys: ? help, / find by name, id, group or gateway, t only boards with trouble, Esc all boards. They sort, too: \
      n name, l link, b battery, s signal, r rate, x loss, c clock; the same key again, or R, reverses; arrows and page \
      keys scroll.

      Examples:
        metafleet top
        metafleet top --trouble --group pumps
        metafleet top --sort battery | head -5
        metafleet top --json --for 1m | jq -r 'select(.samples_per_s == 0).info.name'

      Exit status: 0 shown; 69 no broker, or in a pipe it went; 130 after Ctrl-C.
      """)

  @Option(help: "How the boards are sorted at first.") var sort = BoardSortOrder.Key.name

  @Option(help: "Only boards of this group.", completion: FleetCompletion.groups) var group: String?

  @Flag(help: "Only boards of which something is not as it should be.") var trouble = false

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
    let signal = try await ClientSession.with(try broker.settings(), keepsTrying: isScreen) {
      session -> Int32? in
      let fleet = try await session.fleet(.everything)
      try await session.subscribe(to: ["\(session.settings.base)/board/+/live/+"])
      if let span { session.set(.deadline, after: span.duration) }
      let monitor = FleetMonitor(fleet)
      guard isScreen else {
        try await print(monitor, session)
        return nil
      }
      let screen = TopScreen(order: BoardSortOrder(key: sort), filter: filter)
      let empty = FleetView(base: session.settings.base, scope: .everything)
      return try await LiveDisplayLoop.run(TopDisplay(monitor, screen, empty: empty), in: session)
    }
    // As a shell reports it, now that the terminal is as it was.
    if let signal { throw ExitCode(128 + signal) }
  }

  private var filter: BoardFilter { BoardFilter(group: group, isTrouble: trouble) }

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
    if json { return monitor.objects(order, filter, at: uptime).map { JSONText.of(.object($0)) } }
    let tables = FleetTables(monitor: monitor, uptime: uptime, now: .system, filter: filter)
    let alarms = AlarmTable.table(monitor.fleet, now: .system)
    let blocks =
      (alarms.rows.isEmpty ? [] : [alarms]) + [tables.gateways, tables.adapters, tables.boards(order)]
    return Array(blocks.map { $0.lines(isColoured: Console.hasColours) }.joined(separator: [""]))
  }
}
