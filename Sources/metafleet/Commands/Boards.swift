import ArgumentParser
import Dialects
import FleetModel

/// `boards`: the admitted boards and how they are.
struct Boards: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the admitted boards and how they are.",
    discussion: """
      Reads what the broker keeps of every board: name, id, model, availability, link phase, battery, signal, \
      firmware, groups and gateway. "gateway offline" means that no gateway manages the board now: the rest is what was \
      last known. Narrow terminals show fewer columns; a pipe gets them all. Names are at most 40 columns wide, 24 where \
      otherwise a column would have to go; metafleet board and --json have the whole. How many there are stands on \
      standard error.

      Examples:
        metafleet boards
        metafleet boards --trouble
        metafleet boards --group pumps --sort battery
        metafleet boards --json | jq -r 'select(.state.battery_pct < 20) | .info.name'

      Exit status: 0 listed, also when there are none; 69 no broker; 77 the broker refuses the connection.
      """)

  @Option(help: "Only boards of this group.", completion: FleetCompletion.groups) var group: String?
  @Flag(help: "Only boards that are not online.") var offline = false
  @Flag(help: "Only boards of which something is not as it should be.") var trouble = false
  @Option(help: "How they are sorted; all but rate.") var sort = BoardSortOrder.Key.name
  @OptionGroup var broker: BrokerOptions
  @Flag(help: "One JSON object per board, with its info, availability and state documents.") var json = false

  func validate() throws {
    if sort == .rate { throw ValidationError("rates take time to measure: metafleet top --sort rate") }
  }

  func run() async throws {
    Signals.endAtOnce()
    let fleet = try await ClientSession.with(try broker.settings()) { try await $0.fleet(.everything) }
    let filter = BoardFilter(group: group, isOffline: offline, isTrouble: trouble)
    let boards = BoardSortOrder(key: sort).sorted(FleetMonitor(fleet), at: .zero).filter {
      filter.passes($0, in: fleet)
    }
    if json {
      for board in boards {
        try Console.line(JSONText.of(.object(BoardTable.object(of: board, in: fleet))))
      }
      return
    }
    let table = BoardTable.table(of: boards, in: fleet, now: .system)
    let shown = Console.width.map { table.fitted(to: $0) } ?? table
    for line in shown.lines(width: Console.width, isColoured: Console.hasColours) { try Console.line(line) }
    Console.note(
      boards.isEmpty
        ? FleetSummary.emptiness(of: fleet, filter)
        : FleetSummary(boards: boards, fleet: fleet).sentence(now: .system))
  }
}
