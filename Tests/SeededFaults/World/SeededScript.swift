import BoardKit
import FleetModel

/// What happens in a seeded run, and when: all of it follows from the seed.
struct SeededScript: Sendable {
  struct Step: Sendable {
    var at: Duration
    var fault: SeededFault
  }

  var seed: UInt64
  var boards: Int
  /// Samples of acceleration per second.
  var rate = 1.5625
  var steps: [Step] = []
  /// The daemon dies by itself after so many jobs.
  var dyingAfter: Int?

  /// Whether boards get firmware in it.
  var hasUpdates: Bool {
    hasRollout || has("firmware-update")
  }

  /// Whether all boards get it, one after the other.
  var hasRollout: Bool { has("firmware-rollout") }

  private func has(_ verb: String) -> Bool {
    steps.contains { step in
      if case .command(let command) = step.fault { command.verb == verb } else { false }
    }
  }

  /// Undisturbed at first, so that there is something to disturb.
  static let overture = Duration.seconds(8)
}

extension SeededScript: CustomStringConvertible {
  var description: String {
    let lines = steps.map { "  \($0.at): \($0.fault)" }
    return (["seed \(seed), \(boards) boards at \(rate) Hz"] + lines).joined(separator: "\n")
  }
}

extension SeededScript {
  /// A script with all that may happen.
  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 17)
    self.init(seed: seed, boards: [2, 2, 2, 3, 3, 4, 5].randomElement(using: &random) ?? 2)
    if seed % 16 == 0 { rate = 50 }
    var writer = ScriptWriter(boards: boards, random: random)
    var time = Self.overture
    let end = time + .seconds(Int.random(in: 30...50, using: &writer.random))
    while time < end {
      steps.append(Step(at: time, fault: writer.next()))
      time += .milliseconds(Int64.random(in: 100...6_000, using: &writer.random))
    }
    if UpdateScript.isWanted(in: seed) {
      steps = (steps + UpdateScript(seed: seed, boards: boards).steps).sorted { $0.at < $1.at }
    }
    if RolloutScript.isWanted(in: seed) {
      steps = (steps + RolloutScript(seed: seed, boards: boards).steps).sorted { $0.at < $1.at }
    }
  }
}

/// Thinks of the next thing to go wrong.
private struct ScriptWriter {
  private let boards: [BoardID]
  var random: SeededGenerator
  private var marks: UInt16 = 0
  private var commands: [SeededCommand] = []
  private var breaks: [BoardID: Int] = [:]

  /// A link that is lost more often rests for longer than a run takes to heal (fault F27).
  private static let breakLimit = 6

  init(boards: Int, random: SeededGenerator) {
    self.boards = (1...boards).compactMap { BoardID("c0ffee00000\($0)") }
    self.random = random
  }

  mutating func next() -> SeededFault {
    let board = boards.randomElement(using: &random) ?? boards[0]
    while true {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40: return .command(command(for: board))
      case 40..<60: if let fault = linkFault(of: board) { return fault }
      case 60..<70: return connectFault(of: board)
      case 70..<82: return radioFault()
      case 82..<94: return brokerFault()
      default:
        return Bool.random(using: &random)
          ? .kill(downFor: seconds(1...20)) : .restart(downFor: seconds(1...5))
      }
    }
  }

  private mutating func seconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(Int.random(in: range.lowerBound * 1000...range.upperBound * 1000, using: &random))
  }

  private mutating func linkFault(of board: BoardID) -> SeededFault? {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return .lowBattery(board)
    case 1: return .flood(board, Int.random(in: 50...500, using: &random))
    case 2: return .malformed(board, Int.random(in: 1...19, using: &random))
    case 3: return .pressButton(board)
    case 4: return .evilName(board)
    default: break
    }
    breaks[board, default: 0] += 1
    guard breaks[board, default: 0] <= Self.breakLimit else { return nil }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return .resetBoard(board)
    case 1: return .mute(board, seconds(2...30))
    case 2: return .vanish(board, seconds(5...60))
    case 3: return .malformed(board, 30)
    default: return .dropLink(board)
    }
  }

  private mutating func connectFault(of board: BoardID) -> SeededFault {
    if Int.random(in: 0..<4, using: &random) == 0 {
      return .ignoreConnects(board, times: Int.random(in: 1...2, using: &random))
    }
    let reasons: [LinkFailure.Reason] = [
      .unreachable, .refused, .adapterBusy, .timedOut, .linkLost, .servicesMissing, .busyElsewhere, .other,
    ]
    return .refuseConnects(
      board, reasons.randomElement(using: &random) ?? .refused,
      times: Int.random(in: 1...6, using: &random))
  }

  private mutating func radioFault() -> SeededFault {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .delayPackets(seconds(3...20))
    case 1: .losePackets(seconds(3...20))
    case 2: .adapterOff(seconds(1...30))
    case 3: .adapterRemoved(seconds(1...30))
    case 4: .adapterRenamed
    default: .serviceGone(seconds(1...20))
    }
  }

  private mutating func brokerFault() -> SeededFault {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .brokerAway(seconds(1...60))
    case 1: .brokerReset
    case 2: .brokerForgets
    case 3: .brokerRefuses(seconds(1...5))
    case 4: .brokerMute(seconds(1...10))
    default: .brokerSwallows(seconds(1...10))
    }
  }

  private mutating func command(for board: BoardID) -> SeededCommand {
    marks += 1
    let id = "c\(marks)"
    var command: SeededCommand
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      command = SeededCommand(board: board, verb: "read", id: id, arguments: #"{"what":"battery"}"#)
    case 1:
      command = SeededCommand(
        board: board, verb: "stream-start", id: id,
        arguments: #"{"stream":"acceleration","rate_hz":3.125,"range_g":8}"#)
    case 2:
      command = SeededCommand(
        board: board, verb: "stream-start", id: id,
        arguments: #"{"stream":"temperature-die","every":"5s"}"#)
    case 3:
      command = SeededCommand(
        board: board, verb: "stream-stop", id: id, arguments: #"{"stream":"temperature-die"}"#)
    case 4:
      breaks[board, default: 0] += 1
      if breaks[board, default: 0] > Self.breakLimit { fallthrough }
      command = SeededCommand(board: board, verb: "reset", id: id)
    case 5:
      command = SeededCommand(
        board: board, verb: "disconnect", id: id, arguments: #"{"hold_s":5}"#)
    case 6:
      command = .led(board, mark: marks)
      command.isRetained = true
      command.expectation = .refusal("retained")
    case 7:
      command = .led(board, mark: marks)
      command.expiresIn = .seconds(-5)
      command.expectation = .refusal("expired")
    case 8, 9:
      // Somebody says it again; what is said again is never carried out again.
      guard var again = commands.randomElement(using: &random) else { fallthrough }
      again.expectation = .repetition
      command = again
    default:
      command = .led(board, mark: marks)
      if Bool.random(using: &random) { command.expiresIn = seconds(5...60) }
    }
    if command.expectation == .acceptance, command.expiresIn == nil { commands.append(command) }
    return command
  }
}
