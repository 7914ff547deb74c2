import FleetModel

/// The address that somebody wrote behind `metafleet try`.
enum TryAddress {
  /// The board it means; a usage failure that says what an address looks like.
  static func board(_ text: String) throws(CommandLineFailure) -> BoardID {
    if let board = BoardID(text) { return board }
    throw CommandLineFailure(.usage, "\(quoted(text)) is not a Bluetooth address; \(advice(for: text))")
  }

  /// The digits may be right, and what stands between them wrong.
  private static func advice(for text: String) -> String {
    let digits = text.filter { $0.isASCII && $0.isHexDigit }
    let rest = text.filter { !($0.isASCII && $0.isHexDigit) }
    if rest.allSatisfy({ ":-._ ".contains($0) }), let board = BoardID(digits) {
      return "did you mean \(board.address.colonSeparated)?"
    }
    return "an address has six pairs of hexadecimal digits, such as E5:A1:C2:D3:F4:B6; without one, "
      + "metafleet try takes the board received best"
  }

  /// Further apart, two addresses are of two boards and no slip.
  private static let mostEdits = 2

  /// The address received that somebody probably meant; nil when none is near.
  static func nearest(to board: BoardID, in received: [BoardID]) -> BoardID? {
    let digits = Array(board.description.unicodeScalars)
    let ranked = received.map { ($0, Suggestion.edits(digits, Array($0.description.unicodeScalars))) }
    return ranked.filter { $0.1 <= mostEdits }.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
  }
}
