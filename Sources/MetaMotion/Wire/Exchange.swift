import BoardKit
import FleetModel

/// Reads and writes registers of one board.
struct Exchange {
  let conversation: Conversation

  /// Writes a command; done when the system took it.
  func write(_ command: [UInt8]) async throws(ProtocolFailure) {
    try await conversation.write(command, to: Attributes.command, as: Self.kind(of: command))
  }

  /// Does one step of a plan.
  func carryOut(_ step: BoardStep) async throws(ProtocolFailure) {
    switch step {
    case .write(let command): try await write(command)
    case .pause(let duration): try await wait(for: duration)
    }
  }

  /// Asks for a value and waits for it. After silence it asks once more, which only reads may do (contract 3.1).
  func ask(_ register: Register, _ selector: UInt8...) async throws(ProtocolFailure) -> [UInt8] {
    try await ask(register, arguments: selector, answeredBy: selector)
  }

  /// The same, for questions that say more than their answers repeat.
  func ask(
    _ register: Register, arguments: [UInt8], answeredBy selector: [UInt8]
  ) async throws(ProtocolFailure) -> [UInt8] {
    do {
      return try await askOnce(register, arguments, answeredBy: selector, within: .seconds(5))
    } catch .silent {
      return try await askOnce(register, arguments, answeredBy: selector, within: .seconds(5))
    }
  }

  /// Asks once for a value that not every firmware tells; nil when the board stays silent. A second is the vendor's
  /// limit for such questions (protocol reference, section 2.5).
  func probe(
    _ register: Register, _ selector: UInt8..., within limit: Duration = .seconds(1)
  ) async throws(ProtocolFailure) -> [UInt8]? {
    do {
      return try await askOnce(register, selector, answeredBy: selector, within: limit)
    } catch .silent {
      return nil
    }
  }

  /// Asks like `ask`, in words of its own: where a question says more than its answer repeats.
  func ask(_ question: [UInt8], answer pattern: AnswerPattern) async throws(ProtocolFailure) -> [UInt8] {
    do {
      return try await askOnce(question, pattern, within: .seconds(5))
    } catch .silent {
      return try await askOnce(question, pattern, within: .seconds(5))
    }
  }

  /// Asks like `probe`, in words of its own.
  func probe(
    _ question: [UInt8], answer pattern: AnswerPattern, within limit: Duration = .seconds(1)
  ) async throws(ProtocolFailure) -> [UInt8]? {
    do {
      return try await askOnce(question, pattern, within: limit)
    } catch .silent {
      return nil
    }
  }

  /// Creates something by `commands`, all of one module, and waits for its slot. Asked once: twice would create two.
  func create(_ commands: [[UInt8]], answer register: Register) async throws(ProtocolFailure) -> UInt8 {
    let pattern = AnswerPattern([register.write()], "a slot for \(register.module.name)")
    let reply = try await conversation.ask(
      each: commands, to: Attributes.command, as: Self.kind(of: commands.first ?? []), answer: pattern)
    guard reply.count > 2 else { throw .unreadable(reply, as: "a slot") }
    return reply[2]
  }

  /// Sends `packets` and waits for up to `count` that `pattern` describes; those that came in time.
  func gather(
    _ count: Int, sending packets: [[UInt8]], answer pattern: AnswerPattern, within limit: Duration
  ) async throws(ProtocolFailure) -> [[UInt8]] {
    try await conversation.gather(
      count, sending: packets.map { ($0, Self.kind(of: $0)) }, to: Attributes.command, answer: pattern,
      within: limit)
  }

  /// Asks all `questions` at once and waits for their answers, each of which begins as its question does; those that
  /// came in time. What is missing is asked once more, for one packet may always be lost.
  func ask(together questions: [[UInt8]]) async throws(ProtocolFailure) -> [[UInt8]: [UInt8]] {
    var answers: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<2 {
      let open = questions.filter { answers[$0] == nil }
      guard !open.isEmpty else { break }
      let replies = try await gather(
        open.count, sending: open, answer: AnswerPattern(open, "the registers that were written"),
        within: .seconds(1))
      for reply in replies {
        if let question = open.first(where: { reply.starts(with: $0) }) { answers[question] = reply }
      }
    }
    return answers
  }

  /// Lets time pass; ends early, by throwing, when the link ends.
  func wait(for duration: Duration) async throws(ProtocolFailure) {
    if await conversation.linkEnds(within: duration), let ending = conversation.ending {
      throw .linkEnded(ending)
    }
  }

  private func askOnce(
    _ register: Register, _ arguments: [UInt8], answeredBy selector: [UInt8], within limit: Duration
  ) async throws(ProtocolFailure) -> [UInt8] {
    try await askOnce(register.read(arguments), register.answer(to: selector), within: limit)
  }

  private func askOnce(
    _ question: [UInt8], _ pattern: AnswerPattern, within limit: Duration
  ) async throws(ProtocolFailure) -> [UInt8] {
    try await conversation.ask(
      question, to: Attributes.command, as: Self.kind(of: question), answer: pattern, within: limit)
  }

  /// The macro module alone is written with response (protocol reference, section 2.4).
  private static func kind(of packet: [UInt8]) -> WriteKind {
    packet.first == Module.macro.rawValue ? .request : .command
  }
}
