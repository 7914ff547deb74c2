import BoardKit

/// Reads registers of a board back on one link, many at once. An object, because what a board leaves unanswered is
/// known to all who ask.
final class RegisterReader {
  private let exchange: Exchange
  /// What this board left unanswered, which it is not asked again on this link.
  private var unanswered: Set<[UInt8]> = []

  init(exchange: Exchange) { self.exchange = exchange }

  /// The answers by their questions, as far as the board gives them.
  func answers(
    to readBacks: [SensorRun.ReadBack]
  ) async throws(ProtocolFailure) -> [[UInt8]: [UInt8]] {
    var questions: [[UInt8]] = []
    for question in readBacks.map(\.question)
    where !unanswered.contains(question) && !questions.contains(question) {
      questions.append(question)
    }
    guard !questions.isEmpty else { return [:] }
    let answers = try await exchange.ask(together: questions)
    unanswered.formUnion(questions.filter { answers[$0] == nil })
    return answers
  }

  /// Whether it was asked in vain on this link.
  func isUntold(_ readBack: SensorRun.ReadBack) -> Bool { unanswered.contains(readBack.question) }

  /// Writes `commands` and looks whether `setting` is what it shall be; once more where it is not, or where the board
  /// says nothing. What it holds otherwise even then; nil where it agrees, or does not tell.
  func write(
    _ commands: [[UInt8]], proving setting: SensorRun.ReadBack
  ) async throws(ProtocolFailure) -> [UInt8]? {
    var onBoard: [UInt8]?
    for _ in 0..<2 {
      for command in commands { try await exchange.write(command) }
      guard !unanswered.contains(setting.question) else { return nil }
      onBoard = try await exchange.probe(
        setting.question, answer: setting.register.answer(to: setting.selector))
      if onBoard.map(setting.agrees) == true { return nil }
    }
    if onBoard == nil { unanswered.insert(setting.question) }
    return onBoard.map { Array($0.dropFirst(2 + setting.selector.count)) }
  }
}
