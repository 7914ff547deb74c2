import ArgumentParser
import FleetModel
import Storage

/// `sessions list`: what boards logged and streamed, and how far it came.
struct Sessions: ParsableCommand, ArchiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the sessions in the archive.",
    discussion: """
      A log session is what a board logs from log-start until its log is cleared. State: logging \
      (on the board), reading (a download began), complete (all entries are here), short (the board sent less than it \
      counted), cleared (gone from the board: ENTRIES of OF are here, and where these differ the rest was declared lost). \
      WAITING samples are published and not yet acknowledged by the broker; LOST were declared lost; UNDECODED entries are \
      of unknown loggers (metafleet export --raw).

      A session of KIND stream is what a board streamed of one stream over one connection, where storage.streams keeps it: \
      running, or ended. Its SAMPLES are those that are kept, and LOST those that are known to be missing between them.

      The newest comes first. On a terminal, ids are shown as far as it takes to tell the listed ones apart, which is \
      enough for metafleet export; a pipe gets the whole.

      Reads the state directory that the configuration file names, whether the daemon runs or not; for members of the \
      group metafleet, a gateway that runs as a service does.

      Examples:
        metafleet sessions
        metafleet sessions "Pump 3" --since 7d
        metafleet sessions --kind stream
        metafleet sessions --json | jq -r 'select(.state == "short") | .session'

      Exit status: 0 listed, also when there are none; 64 no such board; 69 there is no archive; 73 it cannot be read; \
      77 it is not for you; \
      78 the configuration is wrong.
      """)

  @Argument(help: "Boards by name or id; all without any.") var boards: [String] = []
  @OptionGroup var archive: ArchiveOptions
  @Option(help: ArgumentHelp("Only sessions since: 7d ago, or 2026-11-20, in UTC.", valueName: "time"))
  var since: Since?
  @Option(
    help: ArgumentHelp("Only what was logged, or only what was streamed and kept.", valueName: "log|stream"),
    completion: .list(SessionKind.allCases.map(\.rawValue)), transform: SessionKind.parsed)
  var kind: SessionKind?
  @Flag(help: "One JSON object per session.") var json = false

  func run() throws {
    let (reader, names) = try archive.open()
    let all = try ArchivedSession.all(in: reader, of: kind, since: since?.time(now: .system))
    let chosen = try SessionChoice(sessions: all, names: names)(boards)
    let ledgers = try chosen.compactMap(\.log).map { try reader.ledger(of: $0) }
    let streams = chosen.compactMap(\.stream)
    if json {
      let objects = SessionTable.newestFirst(
        ledgers.map { SessionTable.object(of: $0) } + streams.map { SessionTable.object(of: $0) })
      for object in objects { try Console.line(JSONText.of(.object(object))) }
      return
    }
    let table = SessionTable.table(
      of: ledgers, streams: streams, names: names, hasShortIDs: Console.width != nil)
    let shown = Console.width.map { table.fitted(to: $0) } ?? table
    for line in shown.lines(width: Console.width, isColoured: Console.hasColours) { try Console.line(line) }
    if chosen.isEmpty {
      Console.note(
        "no sessions; start logging with log-start, or with log: in a profile, or keep what is streamed with storage.streams"
      )
    }
  }
}
