import FleetModel
import Foundation
import Testing

@testable import SeededFaults

/// Invariant I19 and faults F09, F65, F82: the daemon may die between any two steps of a connect or of a command, and
/// comes to the same state afterwards: links are taken over, streams run as desired, and every command has one answer.
@Suite struct SeededRestartTests {
  private static let board = FleetHealth.names(1)[0]

  /// Of the steps of a scene every so many-th is one to die at; a prime, so that all of its rhythms are met.
  /// `METAFLEET_STRIDE=1`: every step.
  private static let everyStep =
    ProcessInfo.processInfo.environment["METAFLEET_STRIDE"].flatMap(Int.init) ?? 61

  enum Scene: String, CaseIterable, CustomTestStringConvertible {
    case connect, light, streams, reset, loss
    var testDescription: String { rawValue }

    /// What happens in it, beginning two seconds after the daemon.
    var faults: [SeededFault] {
      func command(_ verb: String, _ arguments: String) -> SeededFault {
        .command(SeededCommand(board: board, verb: verb, id: verb, arguments: arguments))
      }
      switch self {
      case .connect: return []
      case .light: return [.command(.led(board, mark: 7))]
      case .streams:
        return [
          command("stream-stop", #"{"stream":"temperature-die"}"#),
          command("stream-start", #"{"stream":"acceleration","rate_hz":3.125,"range_g":8}"#),
        ]
      case .reset: return [command("reset", "{}")]
      case .loss: return [.dropLink(board)]
      }
    }
  }

  /// The scene as a script; the daemon dies after so many of its steps.
  private static func script(_ scene: Scene, dyingAfter jobs: Int?) -> SeededScript {
    var script = SeededScript(seed: 5, boards: 1)
    for (index, fault) in scene.faults.enumerated() {
      script.steps.append(.init(at: .seconds(2 + index), fault: fault))
    }
    // A place to stop: whatever the scene began is done by then.
    script.steps.append(.init(at: .seconds(6), fault: .pressButton(board)))
    script.dyingAfter = jobs
    return script
  }

  @Test(arguments: Scene.allCases)
  func `the daemon may die anywhere`(scene: Scene) throws {
    let whole = try SeededFleet.play(Self.script(scene, dyingAfter: nil))
    #expect(whole.violations.isEmpty, "\(whole.violations)")
    for jobs in stride(from: 1, through: whole.jobsAtLastStep, by: Self.everyStep) {
      let script = Self.script(scene, dyingAfter: jobs)
      let outcome = try SeededFleet.play(script)
      #expect(
        outcome.violations.isEmpty, "\(scene), dying after \(jobs) steps: \(outcome.violations)")
    }
  }
}
