import ArgumentParser
import Dialects
import FleetModel

/// `boards`: the admitted boards and how they are.
struct Boards: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the admitted boards and how they are.",
    discussion: """
      Reads what the broker keeps of every board: name, id, model, availability, link phase, battery, signal, \
      firmware and gateway. "gateway offline" means that no gateway manages the board now: the rest is what was last \
      known. Narrow terminals show fewer columns; a pipe gets them all.

      Examples:
        metafleet boards
        metafleet boards --json | jq -r 'select(.state.battery_pct < 20) | .info.name'

      Exit status: 0 listed, also when there are none; 69 no broker; 77 the broker refuses the connection.
      """)

  @OptionGroup var broker: BrokerOptions
  @Flag(help: "One JSON object per board, with its info, availability and state documents.") var json = false

  func run() async throws {
    Signals.endAtOnce()
    let fleet = try await ClientSession.with(try broker.settings()) { try await $0.fleet() }
    if json {
      for board in fleet.sorted {
        try Console.line(JSONText.of(.object(BoardTable.object(of: board, in: fleet))))
      }
      return
    }
    let table = BoardTable.table(of: fleet, now: .system)
    let shown = Console.width.map { table.fitted(to: $0) } ?? table
    for line in shown.lines(width: Console.width, isColoured: Console.hasColours) { try Console.line(line) }
    if fleet.boards.isEmpty {
      Console.note("no board is admitted; metafleet scan shows what is in range")
    }
  }
}
