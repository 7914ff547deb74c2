import ArgumentParser
import EventLoops
import Fleet
import FleetModel
import Storage

/// `events`: what happened, from the history on the gateway's disk.
struct Events: AsyncParsableCommand, ArchiveCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Lists what happened: events of boards, adapters, the gateway and its disk, and ends of commands.",
    discussion: """
      Every event that is published over MQTT is kept in the state directory, in the order of time, and what happened at \
      one time in the order of publication; so is the end of every command that was accepted (what was refused on arrival \
      is in metafleet audit). The history keeps 100 000 of them for 30 days, or as much as storage.history of the \
      configuration says. The kinds of events are those of the topics: metafleet events --type link-lost --type link-up.

      Reads the state directory that the configuration file names, whether the daemon runs or not; for members of the \
      group metafleet, a gateway that runs as a service does. --follow goes on with \
      what comes, also when the daemon or the broker is restarted, until Ctrl-C.

      Examples:
        metafleet events --since 1d
        metafleet events --board "Pump 3" --follow
        metafleet events --gateway --since 2026-11-20T10:30
        metafleet events --json | jq -r 'select(.kind == "link-lost") | .board'

      Exit status: 0 listed, also when there are none; 64 no such board, adapter or type; 69 there is no archive; 73 it \
      cannot be read; 77 it is not for you; \
      78 the configuration is wrong; 130 after Ctrl-C.
      """)

  /// How many are listed before those to come, where nobody says.
  private static let (followed, listed) = (10, 1_000)
  /// How often it is looked for what comes.
  private static let pause = Duration.milliseconds(500)

  @Option(
    help: ArgumentHelp("Only what happened since: 7d ago, or 2026-11-20, in UTC.", valueName: "time"),
    transform: Since.parsed)
  var since: Since?
  @Option(
    help: "Only about one board: its name, a unique beginning of it, or its id.",
    completion: FleetCompletion.boards)
  var board: String?
  @Option(help: "Only about one adapter, by its address.") var adapter: String?
  @Flag(help: "Only of the gateway itself, its adapters and its disk.") var gateway = false
  @Option(help: "Only of this kind; may be repeated.", completion: .list(EventChoice.kinds)) var type:
    [String] = []
  @Flag(help: "Go on with what comes.") var follow = false
  @Option(
    help: ArgumentHelp("At most this many, the latest: 1000, and 10 with --follow.", valueName: "number"))
  var limit: Int?
  @Flag(help: "One JSON object per event, as it was published.") var json = false
  @OptionGroup var archive: ArchiveOptions

  func validate() throws {
    if let limit, limit < 0 || limit == 0 && !follow { throw ValidationError("--limit must be at least 1") }
    if [board != nil, adapter != nil, gateway].count(where: { $0 }) > 1 {
      throw ValidationError("give one of --board, --adapter and --gateway")
    }
  }

  func run() async throws {
    let (reader, named) = try archive.open()
    let names = try Self.names(reader, named)
    let choice = try EventChoice(names: names, adapters: adapter == nil ? [] : reader.adaptersOfEvents())(
      board: board, adapter: adapter, isOfGateway: gateway, kinds: type)
    let limit = limit ?? (follow && since == nil ? Self.followed : Self.listed)
    let page = try reader.latestEvents(choice, since: since?.time(now: .system), limit: limit)
    if page.hasOlder, !follow {
      Console.note("there are older ones; --limit \(limit * 10) shows more of them")
    }
    try show(page.entries, names, isFirst: true)
    if follow { return try await goOn(with: reader, choice, names, from: page.end) }
    if page.entries.isEmpty {
      Console.note(
        since == nil
          ? "no such event is kept; metafleet run records what happens"
          : "no such event in that time; without --since all that are kept are listed")
    }
  }

  /// What comes is read from the same place as what was there, behind the number it ended with: so nothing is missing
  /// in between and nothing comes twice, and it goes on without a broker.
  private func goOn(
    with reader: ArchiveReader, _ choice: EventHistory.Choice, _ names: [BoardID: String], from end: Int64
  ) async throws {
    Signals.endAtOnce()
    let loop = try EventLoop.named("events")
    var (reader, end) = (reader, end)
    while !Console.isOutputClosed {
      try await loop.sleep(for: Self.pause)
      if reader.isReplaced {
        // The daemon has put a damaged database aside, or is about to begin another.
        guard let (other, _) = try? archive.open() else { continue }
        (reader, end) = (other, 0)
      }
      let page: EventHistory.Page
      do throws(StoreFailure) { page = try reader.events(choice, behind: end) } catch {
        // Somebody else has the database for a moment.
        if case .taken = error { continue }
        throw error
      }
      if page.removed > 0 {
        Console.note("\(CountText.of(page.removed, "event")) of all kinds went before they could be shown")
      }
      end = page.end
      try show(page.entries, names, isFirst: false)
    }
  }

  private func show(_ entries: [HistoryEntry], _ names: [BoardID: String], isFirst: Bool)
    throws(OutputFailure)
  {
    if json {
      for entry in entries { try Console.line(String(decoding: entry.document, as: UTF8.self)) }
      return
    }
    guard isFirst || !entries.isEmpty else { return }
    let lines = EventListing.lines(
      of: entries, names: names, width: Console.width, isColoured: Console.hasColours, hasTitle: isFirst)
    for line in lines { try Console.line(line) }
  }

  /// A name that a command gave counts before that of the file.
  private static func names(
    _ reader: ArchiveReader, _ named: [BoardID: String]
  ) throws(StoreFailure) -> [BoardID: String] {
    var names = named
    for admission in try reader.admissions() {
      if let name = StoredAdmission.read(admission)?.name { names[admission.board] = name }
    }
    return names
  }
}
