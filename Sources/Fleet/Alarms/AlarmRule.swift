import FleetModel

/// What is the matter by the facts of one moment. Pure: for how long it must be so, and since when it is, the
/// `AlarmBook` knows. Values have two thresholds, one where an alarm begins and one where it ends, so that none comes
/// and goes where a value stands (fault F178).
struct AlarmRule: Sendable {
  let facts: AlarmFacts

  /// Looks at everything.
  static func findings(_ facts: AlarmFacts) -> AlarmFindings {
    let rule = AlarmRule(facts: facts)
    var found = AlarmFindings()
    rule.findOfGateway(&found)
    rule.findOfAdapters(&found)
    for board in facts.boards { rule.find(of: board, &found) }
    return found
  }

  private func find(of board: AlarmFacts.Board, _ found: inout AlarmFindings) {
    let state = board.state
    // While a board is being worked on nobody shall be alarmed.
    guard state.orders.maintenance == nil else { return }
    found.look(at: .board(state.board))
    findOfLink(board, &found)
    findOfBattery(board, &found)
    findOfLog(board, &found)
    findOfData(board, &found)
  }

  private func findOfLink(_ board: AlarmFacts.Board, _ found: inout AlarmFindings) {
    let (state, subject) = (board.state, Alarm.Subject.board(board.state.board))
    if let doubt = state.identity.doubt {
      found.present(.identityChanged, of: subject, doubt.sentence, name: board.name, reason: doubt.code)
    }
    let reason = state.reason?.code
    guard reason?.isOrdered != true, board.availability?.reason != .asleep else { return }
    if state.link == .updating {
      // Away for minutes, and on purpose: how it ends is seen then.
      for code in [AlarmCode.boardOffline, .boardStranded, .boardTroubled, .visitMissed] {
        found.unclear(code, of: subject)
      }
      return
    }
    switch board.availability?.state {
    case .offline? where board.availability?.reason == .bootloader:
      found.present(
        .boardStranded, of: subject,
        "the board is in its bootloader, without an application, and measures nothing; metafleet explain \(state.board) says what helps",
        name: board.name, reason: .bootloader)
    case .offline?:
      found.present(
        .boardOffline, of: subject,
        "the board is offline\(Self.why(reason)); metafleet explain \(state.board) says what helps",
        name: board.name, reason: reason)
    case .unknown?, nil:
      found.unclear(.boardOffline, of: subject)
      found.unclear(.boardStranded, of: subject)
    case .online?:
      let streams = state.troubles.filter { $0.reason.code != .samplesMissing }
      guard let code = reason ?? StreamTrouble.reason(streams)?.code else { break }
      found.present(
        .boardTroubled, of: subject,
        "the board is in reach and not as it should be\(Self.why(code)); metafleet explain \(state.board) says what helps",
        name: board.name, reason: code)
    }
    if let next = state.contact.next, facts.time - next > .seconds(600) {
      found.present(
        .visitMissed, of: subject,
        "the board should have been in contact\(Self.why(reason)); metafleet explain \(state.board) says why",
        name: board.name, reason: reason)
    }
  }

  /// `: the board did not answer`; the code's own sentence, which does not change with every attempt.
  private static func why(_ code: ReasonCode?) -> String {
    guard let meaning = code?.meaning else { return "" }
    return ": " + meaning.prefix(1).lowercased() + meaning.dropFirst().dropLast()
  }

  private func findOfBattery(_ board: AlarmFacts.Board, _ found: inout AlarmFindings) {
    let subject = Alarm.Subject.board(board.state.board)
    guard let percent = board.state.battery.percent else {
      found.unclear(.batteryEmpty, of: subject)
      return found.unclear(.batteryLow, of: subject)
    }
    let (low, critical) = (BatteryWatch.Level.low.most, BatteryWatch.Level.critical.most)
    if percent <= critical {
      return found.present(
        .batteryEmpty, of: subject,
        "the battery is almost empty (\(percent) %); charge it now, or what it has logged may be lost",
        name: board.name)
    }
    if percent <= critical + BatteryWatch.recovery { found.unclear(.batteryEmpty, of: subject) }
    if percent <= low {
      found.present(
        .batteryLow, of: subject, "the battery is low (\(percent) %); charge it within days", name: board.name
      )
    } else if percent <= low + BatteryWatch.recovery {
      found.unclear(.batteryLow, of: subject)
    }
  }

  private func findOfLog(_ board: AlarmFacts.Board, _ found: inout AlarmFindings) {
    let subject = Alarm.Subject.board(board.state.board)
    guard let percent = board.state.log.usedPercent else {
      found.unclear(.logFull, of: subject)
      return found.unclear(.logNearlyFull, of: subject)
    }
    switch percent {
    case 100...:
      found.present(
        .logFull, of: subject,
        "the log is full: what is measured is lost; metafleet send \(board.state.board) log-download",
        name: board.name)
    case 80..<100:
      if percent > 95 { found.unclear(.logFull, of: subject) }
      guard percent > 80 else { return found.unclear(.logNearlyFull, of: subject) }
      found.present(
        .logNearlyFull, of: subject,
        "the log is \(Int(percent)) % full; metafleet send \(board.state.board) log-download, or visit it more often",
        name: board.name)
    case 70..<80: found.unclear(.logNearlyFull, of: subject)
    default: break
    }
  }

  private func findOfData(_ board: AlarmFacts.Board, _ found: inout AlarmFindings) {
    let (state, subject) = (board.state, Alarm.Subject.board(board.state.board))
    let lossy = state.troubles.filter { $0.reason.code == .samplesMissing }.map(\.stream).sorted()
    if !lossy.isEmpty {
      found.present(
        .samplesLost, of: subject,
        "samples of \(lossy.joined(separator: ", ")) are lost on the way; lower the rate, or shorten the distance",
        name: board.name, reason: .samplesMissing)
    }
    switch state.isInSync {
    case false? where board.availability?.state == .online:
      found.present(
        .notInSync, of: subject,
        "the board does not do what its profile says; metafleet board \(state.board) shows what is missing",
        name: board.name, reason: state.reason?.code)
    // One that is away cannot be asked.
    case false?, nil: found.unclear(.notInSync, of: subject)
    case true?: break
    }
    switch state.clock.error {
    case let error? where error > 1_000:
      found.present(
        .clockUncertain, of: subject,
        "its times may be off by more than a second; a contact corrects them", name: board.name)
    case let error? where error > 500: found.unclear(.clockUncertain, of: subject)
    case nil: found.unclear(.clockUncertain, of: subject)
    default: break
    }
  }
}
