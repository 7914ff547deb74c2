import ArgumentParser
import Dialects
import Fleet
import FleetModel

/// `explain`: why a board's data are received, or not.
struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Explains what keeps a board from what it should do, and what to do about it.",
    discussion: """
      Looks at what the broker keeps of the board, its gateway and the gateway's adapters, and listens a moment for \
      samples. It needs neither the gateway nor the board to answer.

      Examples:
        metafleet explain "Pump 3"
        metafleet explain E5:A1:C2:D3:F4:B6 --for 30s
        metafleet explain pump --json | jq -r '.causes[].code'

      Causes: \(Explanation.Code.allCases.map(\.rawValue).joined(separator: ", ")).

      deploy/docs/explain.md says of each what it means and what helps.

      Exit status: 0 the board does what it should; 1 it does not; 64 no such name, or several; 69 no broker.
      """)

  @Argument(
    help: "A board's name, id or a unique beginning of either; an address need not be admitted.",
    completion: FleetCompletion.boards)
  var board: String

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Listen at most this long for a sample.", valueName: "duration"))
  var span = Span(.seconds(2))

  @Flag(help: "One JSON object: summary, has_data, ok, causes, next.") var json = false
  @OptionGroup var broker: BrokerOptions

  func run() async throws {
    Signals.endAtOnce()
    let (explanation, name) = try await ClientSession.with(try broker.settings()) { session in
      let fleet = try await session.fleet(.everything)
      let id = try TargetResolution(fleet: fleet).board(board)
      let (heard, newest) = try await listen(for: id, session, fleet)
      let rule = ExplanationRule(board: id, fleet: newest, now: .system, heard: heard)
      return (rule.explain(), fleet.boards[id]?.name ?? id.address.colonSeparated)
    }
    if json {
      try Console.line(JSONText.of(.object(explanation.json)))
    } else {
      let sheet = explanation.sheet(of: name, now: .system)
      let width = Console.width ?? FactSheet.pipeWidth
      for line in sheet.lines(width: width, isColoured: Console.hasColours) { try Console.line(line) }
    }
    if !explanation.isFine { throw CommandLineFailure(.no, "") }
  }

  /// Until the first sample, or for as long as was asked; what was heard, and how the fleet is by then.
  private func listen(
    for id: BoardID, _ session: ClientSession, _ known: FleetView
  ) async throws -> (ReceivedTraffic?, FleetView) {
    var fleet = known
    guard let board = fleet.boards[id], !fleet.isGatewayOffline(of: board),
      board.state?[.link] == .streaming
    else { return (nil, fleet) }
    var heard = ReceivedTraffic(span: span.duration)
    try await session.subscribe(to: ReceivedTraffic.filters(base: session.settings.base, board: id))
    session.set(.deadline, after: span.duration)
    for await event in session.events {
      switch event {
      case .message(let message):
        fleet.apply(topic: message.topic, payload: message.payload)
        heard.received(message)
        if !heard.streams.isEmpty { return (heard, fleet) }
      case .timer(.deadline): return (heard, fleet)
      case .lost(let failure): throw session.explain(failure)
      case .acknowledged, .timer, .terminal: break
      }
    }
    return (heard, fleet)
  }
}
