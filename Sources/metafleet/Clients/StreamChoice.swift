import Dialects
import FleetModel

/// A stream as somebody typed it: one of the catalogue, or one of a name that a board gave it.
enum StreamChoice {
  /// Throws where no board has a stream of that name, and it is not one of the catalogue either (fault F246): nothing
  /// would ever come.
  static func check(_ name: String, in fleet: FleetView) throws(CommandLineFailure) {
    guard StreamCatalogue.find(name) == nil else { return }
    let own = names(in: fleet)
    guard !own.contains(name) else { return }
    let all = StreamCatalogue.all.map(\.name) + own.sorted()
    let advice =
      Suggestion.nearest(to: name, in: all).map { "did you mean \($0)?" }
      ?? "metafleet board NAME --abilities lists those of a board"
    throw CommandLineFailure(.usage, "there is no stream \(quoted(name)); \(printable(advice))")
  }

  /// Streams that boards have, and chains that are wanted of them or run on them.
  private static func names(in fleet: FleetView) -> Set<String> {
    fleet.boards.values.reduce(into: []) { names, board in
      names.formUnion((board.info?.streams ?? []).map(\.name))
      for side in [board.config?[.desired], board.config?[.reported]] {
        for section in ["stream", "log", "process"] { names.formUnion(side?[section]?.object?.keys ?? []) }
      }
    }
  }
}
