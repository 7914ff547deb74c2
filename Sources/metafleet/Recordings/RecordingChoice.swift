import Dialects
import FleetModel

/// What of a fleet is recorded, by the words of a command line. Pure.
struct RecordingChoice: Sendable {
  /// nil: those that come later, too.
  private(set) var boards: [BoardID]?
  let streams: [String]
  /// What is known of the fields that will come: the columns of CSV.
  let fields: [StreamDefinition.Field]

  /// Boards by name, id, unique beginning or `group:`; all without any. Streams by name; all without any.
  init(_ fleet: FleetView, boards words: [String], streams names: [String]) throws(CommandLineFailure) {
    boards = try Self.boards(words, in: fleet)
    streams = names
    let chosen = boards.map { $0.compactMap { fleet.boards[$0] } } ?? fleet.sorted
    let offered = StreamFields.offered(by: chosen)
    for name in names where !offered.contains(name) && StreamCatalogue.find(name)?.stream.outlet != .stream {
      let known = Set(offered + StreamCatalogue.all.filter { $0.outlet == .stream }.map(\.name)).sorted()
      throw CommandLineFailure(.usage, printable(Suggestion.missing("stream", name, among: known)))
    }
    fields =
      chosen.flatMap { board in
        (names.isEmpty ? Self.desired(of: board) : names).flatMap {
          StreamFields.declared($0, by: board.info)
        }
      } + names.flatMap { StreamFields.declared($0, by: nil) }
  }

  private static func boards(
    _ words: [String], in fleet: FleetView
  ) throws(CommandLineFailure) -> [BoardID]? {
    var chosen: [BoardID] = []
    for word in words {
      switch try TargetResolution(fleet: fleet).resolve(word) {
      case .board(let board): chosen.append(board)
      case .group("all"): return nil
      case .group(let name): chosen += fleet.sorted.filter { $0.groups.contains(name) }.map(\.id)
      case .gateway:
        throw CommandLineFailure(
          .usage, "a recording is of boards and groups, and \(quoted(word)) is a gateway")
      }
    }
    return words.isEmpty ? nil : Set(chosen).sorted()
  }

  /// The streams and chains that a board is meant to run.
  private static func desired(of board: FleetView.Board) -> [String] {
    let desired = board.config?[.desired]
    return ["stream", "process"].flatMap { desired?[$0]?.object?.keys ?? [] }
  }

  /// What to subscribe to.
  func filters(base: String) -> [String] {
    let levels = boards.map { $0.map(\.description) } ?? ["+"]
    return levels.flatMap { board in
      (streams.isEmpty ? ["+"] : streams).map { "\(base)/board/\(board)/record/\($0)" }
    }
  }

  /// Rows for what was chosen.
  func rows(_ format: SampleRows.Format) -> SampleRows {
    SampleRows(format, fields: fields, isOpen: streams.isEmpty)
  }
}
