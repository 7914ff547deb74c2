import BoardKit
import FleetModel

/// Whether all that was switched on for sensors is on: each switch that a board tells of is read back, and written once
/// more where it is off. A write without response may get lost although the link goes on (fault F106).
struct SwitchCheck {
  /// What came of it.
  struct Result: Hashable, Sendable {
    /// Units of which every switch was read, and is on.
    var on: Set<SensorRun.Unit> = []
    /// Units that do not run even after they were switched on twice, and what says so.
    var off: [SensorRun.Unit: Witness] = [:]
  }

  /// What tells that a unit does not run.
  enum Witness: Hashable, Sendable {
    /// A switch that was read, and is off.
    case register(Register)
    /// Somebody listened for a sample for so long, and none came.
    case noSample(within: Duration)

    /// In words, as the end of a sentence.
    var words: String {
      switch self {
      case .register(let register): "so says register \([register.module.rawValue, register.number].hex)"
      case .noSample(let time): "no sample was received within \(DurationText.format(time))"
      }
    }
  }

  /// How long a chip takes from its order to its power, at most: the gyroscope of the BMI160 (datasheet, 80 ms).
  private static let powerUp = Duration.milliseconds(100)

  let exchange: Exchange
  let registers: RegisterReader

  /// Reads back the switches of `runs`, all at once. What is off is written once more.
  func check(_ runs: [SensorRun]) async throws(ProtocolFailure) -> Result {
    var answers = try await registers.answers(to: runs.flatMap(\.allSwitches))
    let off = runs.filter { Self.firstOff($0, answers) != nil }
    if !off.isEmpty {
      for run in off {
        for command in run.start { try await exchange.write(command) }
      }
      if off.contains(where: { !$0.power.isEmpty }) { try await exchange.wait(for: Self.powerUp) }
      let again = try await registers.answers(to: off.flatMap(\.allSwitches))
      answers.merge(again) { _, new in new }
    }
    var result = Result()
    // Somebody has to listen once where only the board itself takes the samples.
    for run in runs where Self.firstOff(run, answers) == nil {
      guard let sample = run.sample, try await !isHeard(run) else { continue }
      for command in run.start { try await exchange.write(command) }
      if try await !isHeard(run) { result.off[run.unit] = .noSample(within: sample.timeout) }
    }
    for run in runs where result.off[run.unit] == nil {
      if let register = Self.firstOff(run, answers) {
        result.off[run.unit] = .register(register)
      } else if !run.switchReadBacks.isEmpty,
        run.switchReadBacks.allSatisfy({ answers[$0.question] != nil })
      {
        result.on.insert(run.unit)
      }
    }
    return result
  }

  /// Whether a sample comes, where one is the only proof; those that are heard anyway are awaited elsewhere (fault
  /// F107).
  func isHeard(_ run: SensorRun) async throws(ProtocolFailure) -> Bool {
    guard let sample = run.sample, run.registers.isEmpty else { return true }
    let pattern = AnswerPattern([sample.register.write()], "a sample")
    let packet = try await exchange.probe(sample.register.subscribe, answer: pattern, within: sample.timeout)
    try await exchange.write(sample.register.unsubscribe)
    return packet != nil
  }

  private static func firstOff(_ run: SensorRun, _ answers: [[UInt8]: [UInt8]]) -> Register? {
    run.allSwitches.first { readBack in
      answers[readBack.question].map { !readBack.agrees(with: $0) } ?? false
    }?.register
  }
}

extension SensorRun {
  /// Its switches, and the power of its chips.
  fileprivate var allSwitches: [ReadBack] { switchReadBacks + power }
}
