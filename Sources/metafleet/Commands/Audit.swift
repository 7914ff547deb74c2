import ArgumentParser
import Dialects
import FleetModel
import Storage

/// `audit`: who asked for what, when, and what became of it.
struct Audit: ParsableCommand, ArchiveCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the commands this gateway received: who sent them, when, and their outcome.",
    discussion: """
      WHO is what the sender said of itself: its MQTT 5 user property who (metafleet send, admit, forget and firmware \
      check say user@host metafleet), else all its user properties, else where it wanted the answer. That is claimed, \
      and not proved: whoever may publish a command may write any name. Who may publish which stands in the broker's \
      access list and in the configuration (commands.allow). Requests that were refused on arrival are listed, too.

      Where a terminal is too narrow for all columns, a second line has how long it took, the id and the arguments; \
      a pipe gets one line per request, --json one object.

      Reads the state directory that the configuration file names, whether the daemon runs or not; for members of the \
      group metafleet, a gateway that runs as a service does. It remembers 30 days.

      Examples:
        metafleet audit --since 1d
        metafleet audit --board "Pump 3"
        metafleet audit --json | jq -r 'select(.verb == "factory-reset")'

      Exit status: 0 listed, also when there are none; 64 no such board; 69 there is no archive; 73 it cannot be read; \
      77 it is not for you; \
      78 the configuration is wrong.
      """)

  @Option(help: ArgumentHelp("Only requests since: 7d ago, or 2026-11-20, in UTC.", valueName: "time"))
  var since: Since?
  @Option(help: "Only for one board, by its name in the configuration file, or its id.") var board: String?
  @Option(help: "At most this many, the latest.") var limit = 1_000
  @Flag(help: "One JSON object per request.") var json = false
  @OptionGroup var archive: ArchiveOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  func run() throws {
    let (reader, names) = try archive.open()
    let trail = try reader.auditTrail(
      since: since?.time(now: .system), board: try board.map { try Self.id(of: $0, names) }, limit: limit
    ).map(AuditLine.init)
    if trail.count == limit { Console.note("the latest \(limit); --limit shows more of them") }
    if json {
      for line in trail { try Console.line(JSONText.of(.object(AuditListing.object(of: line)))) }
      return
    }
    let lines = AuditListing.lines(
      of: trail, names: names, width: Console.width, isColoured: Console.hasColours)
    for line in lines { try Console.line(line) }
    if trail.isEmpty { Console.note("no commands in that time") }
  }

  private static func id(of text: String, _ names: [BoardID: String]) throws(CommandLineFailure) -> BoardID {
    if let id = BoardID(text) { return id }
    let found = names.filter { $0.value == text }
    if let board = found.first, found.count == 1 { return board.key }
    throw CommandLineFailure(
      .usage, "the configuration file names no board \(quoted(text)); give its id, twelve hexadecimal digits")
  }
}

extension AuditLine {
  /// An entry of the trail, its arguments read.
  init(_ entry: AuditEntry) {
    self.init(
      time: entry.time, target: entry.target, verb: entry.verb, id: entry.id,
      arguments: (try? StrictJSON.parse(entry.arguments, limits: .trusting).object) ?? [:],
      sender: entry.sender,
      responseTopic: entry.responseTopic,
      isRefusal: entry.isRefusal,
      end: entry.end.map { End(stage: $0.stage, code: $0.code, took: $0.took) })
  }
}
