import Dialects
import FleetModel

/// Which boards of a fleet are listed. Pure.
struct BoardFilter: Hashable, Sendable {
  /// Only those of this group.
  var group: String?
  /// Only those that cannot be counted on now.
  var isOffline = false
  /// Only those of which something is not as it should be.
  var isTrouble = false
  /// Only those in whose name, id, groups, gateway or trouble this stands; capitals do not count.
  var text = ""

  /// Whether it lists all there are.
  var isEmpty: Bool { self == BoardFilter() }

  func passes(_ board: FleetView.Board, in fleet: FleetView) -> Bool {
    let condition = BoardCondition(board, in: fleet)
    if let group, !board.groups.contains(group) { return false }
    if isOffline, condition.isOnline { return false }
    let troubles = condition.troubles
    if isTrouble, troubles.isEmpty { return false }
    guard !text.isEmpty else { return true }
    let words =
      [board.name, board.id.description, board.gateway ?? "", condition.link ?? ""] + board.groups + troubles
    return words.contains { $0.lowercased().contains(text.lowercased()) }
  }

  /// What is listed, in words: `in group pumps, with trouble`; empty when that is all.
  var words: String {
    let parts = [
      group.map { "in group \($0)" }, isOffline ? "not online" : nil, isTrouble ? "with trouble" : nil,
      text.isEmpty ? nil : "with \(PrintableText.quoted(text))",
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}
