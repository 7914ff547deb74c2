import BoardKit
import FleetModel

/// Whether a board holds the settings that were written for its sensors: what scales or times a value is read back
/// before the first sample is used. A write without response may get lost although the link goes on (fault F104).
struct SettingsCheck {
  /// What came of it.
  struct Result: Hashable, Sendable {
    /// Units of which a setting is not what was written, even after it was written twice; the first such one.
    var differing: [SensorRun.Unit: Difference] = [:]
    /// Units of which the board does not tell a setting.
    var unread: Set<SensorRun.Unit> = []
    /// What the board answered, by the register.
    var onBoard: [Register: [UInt8]] = [:]
  }

  /// A setting that is not what was written.
  struct Difference: Hashable, Sendable {
    var register: Register
    var wanted: [UInt8]
    var onBoard: [UInt8]

    /// For people, with the unit it is of.
    func words(of unit: SensorRun.Unit) -> String {
      "the \(unit.name) holds \(onBoard.hex) in register \([register.module.rawValue, register.number].hex) although "
        + "\(wanted.hex) was written twice; reset the board"
    }
  }

  let exchange: Exchange
  let registers: RegisterReader

  /// Reads back what was configured for `runs`. What differs is written once more.
  func check(_ runs: [SensorRun]) async throws(ProtocolFailure) -> Result {
    var answers = try await registers.answers(to: runs.flatMap(\.configurationReadBacks))
    let differing = runs.filter { Self.difference(of: $0, answers) != nil }
    if !differing.isEmpty {
      for run in differing {
        for step in run.configure { try await exchange.carryOut(step) }
      }
      let again = try await registers.answers(to: differing.flatMap(\.configurationReadBacks))
      answers.merge(again) { _, new in new }
    }
    var result = Result()
    for run in runs {
      for readBack in run.configurationReadBacks {
        result.onBoard[readBack.register] = answers[readBack.question]
        if answers[readBack.question] == nil { result.unread.insert(run.unit) }
      }
      result.differing[run.unit] = Self.difference(of: run, answers)
    }
    return result
  }

  private static func difference(of run: SensorRun, _ answers: [[UInt8]: [UInt8]]) -> Difference? {
    for readBack in run.configurationReadBacks {
      guard let answer = answers[readBack.question], !readBack.agrees(with: answer) else { continue }
      return Difference(
        register: readBack.register, wanted: readBack.payload,
        onBoard: Array(answer.dropFirst(2 + readBack.selector.count)))
    }
    return nil
  }
}
