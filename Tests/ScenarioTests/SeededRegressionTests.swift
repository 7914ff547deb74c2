import BoardKit
import FleetModel
import Support
import Testing

@testable import SeededFaults

/// Scenes that seeds once found: what broke in them stays mended.
@Suite(.ownThread) struct SeededRegressionTests {
  private static let board = FleetHealth.names(1)[0]

  private func play(_ faults: [SeededFault], boards: Int = 2) throws -> [InvariantViolation] {
    var script = SeededScript(seed: 1, boards: boards)
    for (index, fault) in faults.enumerated() {
      script.steps.append(.init(at: SeededScript.overture + .seconds(5 * index), fault: fault))
    }
    return try SeededFleet.play(script).violations
  }

  /// Each refusal of the news of a refusal was news, without end, and what was refused never came again.
  @Test func `F66 a broker that refuses everything for a while gets everything afterwards`() throws {
    #expect(try play([.brokerRefuses(.seconds(4))]).isEmpty)
  }

  /// The device was removed with every attempt.
  @Test func `F05 a board whose services are missing is not removed again and again`() throws {
    let faults: [SeededFault] = [
      .refuseConnects(Self.board, .servicesMissing, times: 6), .dropLink(Self.board),
    ]
    #expect(try play(faults).isEmpty)
  }

  /// The will stood there for good (seed 565).
  @Test func `F69 a birth that the broker refuses is said again`() throws {
    // The last fault only keeps the scene going: at its end all is cured.
    let faults: [SeededFault] = [.brokerRefuses(.seconds(9)), .brokerForgets, .dropLink(Self.board)]
    #expect(try play(faults).isEmpty)
  }
}
