import FleetModel

/// No state is "connected" until the board has answered on this connection.
struct I09AnsweredBeforeConnected: Invariant {
  /// From a board's first answer on a link to the link's end; the last ones.
  private var spans: [BoardID: [(from: Timestamp, to: Timestamp?)]] = [:]
  /// The end of a link may be told that late.
  private static let slack = Duration.seconds(5)

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .answered(let board): spans[board, default: []].append((moment.time, nil))
    case .link(let board, isUp: false): close(board, at: moment.time)
    case .ended: for board in spans.keys { close(board, at: moment.time) }
    case .published(let publication): return check(publication)
    default: break
    }
    return nil
  }

  private mutating func close(_ board: BoardID, at time: Timestamp) {
    if let last = spans[board]?.indices.last, spans[board]?[last].to == nil { spans[board]?[last].to = time }
  }

  private func check(_ publication: Publication) -> String? {
    guard let board = publication.board else { return nil }
    let claim: (key: String, words: Set<String>, time: String)
    switch publication.lane {
    case "availability": claim = ("reason", ["connected"], "since_ms")
    case "state": claim = ("link", ["idle", "streaming"], "ts_ms")
    default: return nil
    }
    guard let document = publication.document, let said = document[claim.key]?.string,
      claim.words.contains(said), let time = document[claim.time]?.integer
    else { return nil }
    let stated = Timestamp(milliseconds: time)
    let isTrue = (spans[board] ?? []).contains { span in
      span.from <= stated + .milliseconds(1) && span.to.map { stated <= $0 + Self.slack } ?? true
    }
    return isTrue ? nil : "\(board) is said to be \(said) at \(stated), and had not answered"
  }
}
