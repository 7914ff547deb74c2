import FleetModel

/// The boards that go because a file lists them no longer. An empty file, or half of one, must not take a fleet apart:
/// where all would go, or far more than somebody removes by hand, somebody has to confirm it (faults F188, F189).
struct FileRemoval: Hashable, Sendable {
  /// So many boards may always go, as long as others stay; more only if they are at most …
  static let fewBoards = 3
  /// … one in so many of those that were listed.
  static let share = 5
  /// How many of the boards a sentence names, and how many an answer lists.
  static let named = 5
  static let listed = 100

  /// Those that go, in order.
  let boards: [BoardID]
  /// How many there were.
  let count: Int
  /// Whether somebody has to confirm it.
  let needsConfirmation: Bool

  /// `listed` are the boards of the files until now, `wanted` all that are wanted by the new one; `listsNone`: it names
  /// no board at all.
  init(of listed: Set<BoardID>, wanted: Set<BoardID>, listsNone: Bool) {
    boards = listed.subtracting(wanted).sorted()
    count = listed.count
    let isMuch = boards.count > Self.fewBoards && boards.count * Self.share > count
    needsConfirmation = !boards.isEmpty && (listsNone || isMuch)
  }

  /// What is wrong, such as "the file no longer lists 12 of 50 boards: a, b and 10 more".
  func sentence(naming names: [BoardID: String]) -> String {
    let shown = boards.prefix(Self.named).map { board in
      names[board].map { "\($0) (\(board))" } ?? board.description
    }.joined(separator: ", ")
    let rest = boards.count - min(boards.count, Self.named)
    return "the file no longer lists \(boards.count) of \(CountText.of(count, "board")): \(shown)"
      + (rest > 0 ? " and \(rest) more" : "")
  }

  /// How somebody confirms it.
  static func confirmation(by gateway: String) -> String {
    "metafleet send gateway:\(gateway) reload confirm=\(gateway)"
  }

  /// The boards, as an answer lists them.
  var document: JSONObject {
    var document: JSONObject = ["boards": .array(boards.prefix(Self.listed).map { .string($0.description) })]
    if boards.count > Self.listed { document["more_boards"] = .integer(Int64(boards.count - Self.listed)) }
    return document
  }
}
