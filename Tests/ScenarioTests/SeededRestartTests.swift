import FleetModel
import Foundation
import Support
import Testing

@testable import SeededFaults

/// Invariant I19 and faults F09, F65, F82, F273: the daemon may die between any two steps of a connect, of a command or
/// of an update, and comes to the same state afterwards: links are taken over, streams run as desired, boards have an
/// application, and every command has one answer.
@Suite(.ownThread) struct SeededRestartTests {
  private static let board = FleetHealth.names(1)[0]

  /// Of the steps of a scene every so many-th is one to die at; a prime, so that all of its rhythms are met.
  /// `METAFLEET_STRIDE=1`: every step.
  private static func pace(of scene: Scene) -> Int {
    ProcessInfo.processInfo.environment["METAFLEET_STRIDE"].flatMap(Int.init) ?? (scene == .update ? 307 : 61)
  }

  enum Scene: String, CaseIterable, CustomTestStringConvertible {
    case connect, light, streams, reset, loss, update
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
      case .update: return [command("firmware-update", #"{"confirm":"\#(board)"}"#)]
      }
    }

    /// When it is over.
    var end: Duration { self == .update ? .seconds(40) : .seconds(6) }
  }

  /// The scene as a script; the daemon dies after so many of its steps.
  private static func script(_ scene: Scene, dyingAfter jobs: Int?) -> SeededScript {
    var script = SeededScript(seed: 5, boards: 1)
    for (index, fault) in scene.faults.enumerated() {
      script.steps.append(.init(at: .seconds(2 + index), fault: fault))
    }
    // A place to stop: whatever the scene began is done by then.
    script.steps.append(.init(at: scene.end, fault: .pressButton(board)))
    script.dyingAfter = jobs
    return script
  }

  @Test(arguments: Scene.allCases)
  func `the daemon may die anywhere`(scene: Scene) throws {
    let whole = try SeededFleet.play(Self.script(scene, dyingAfter: nil))
    #expect(whole.violations.isEmpty, "\(whole.violations)")
    for jobs in stride(from: 1, through: whole.jobsAtLastStep, by: Self.pace(of: scene)) {
      let script = Self.script(scene, dyingAfter: jobs)
      let outcome = try SeededFleet.play(script)
      #expect(
        outcome.violations.isEmpty, "\(scene), dying after \(jobs) steps: \(outcome.violations)")
    }
  }
}
