import FleetModel

/// A board as the status page shows it: how it is, and why. Pure.
struct BoardStatusLine: Hashable, Sendable {
  /// One sentence for each thing that is said against it.
  let reasons: [String]
  /// How it can be counted on, in a word.
  let availability: String
  /// Where its connection stands.
  let link: String
  let isTrouble: Bool

  init(_ board: FleetSnapshot.Board) {
    let state = board.state
    var reasons = [state?.reason, state?.identity.doubt].compactMap { $0?.sentence }
    if let streams = state.flatMap({ StreamTrouble.reason($0.troubles) }) { reasons.append(streams.sentence) }
    let answer = board.availability
    // A board that is being given firmware is in its bootloader, as it should be.
    let isAway = answer.map { $0.state != .online && state?.link != .updating } ?? true
    isTrouble = !reasons.isEmpty || isAway
    if reasons.isEmpty, let answer, isAway { reasons = [answer.reason.rawValue] }
    self.reasons = reasons
    availability = answer?.state.rawValue ?? "not known yet"
    link = state?.link.rawValue ?? "–"
  }
}
