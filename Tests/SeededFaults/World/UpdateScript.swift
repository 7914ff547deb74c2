import BoardKit
import FleetModel
import Simulator

/// Boards that get firmware in a seeded run, and what goes wrong with their bootloaders: beside all that happens
/// anyway, in some of the seeds.
struct UpdateScript {
  private let boards: [BoardID]
  private var random: SeededGenerator
  private(set) var steps: [SeededScript.Step] = []

  /// One seed in four has updates.
  static func isWanted(in seed: UInt64) -> Bool { seed % 4 == 1 }

  init(seed: UInt64, boards: Int) {
    self.boards = FleetHealth.names(boards)
    random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 71)
    let first = Int.random(in: 0..<boards, using: &random)
    order(self.boards[first], after: SeededScript.overture + milliseconds(0...15_000), number: 1)
    // Two at once have to take turns on the adapter.
    guard happens(40) else { return }
    let second = self.boards[(first + 1) % boards]
    order(second, after: SeededScript.overture + milliseconds(0...15_000), number: 2)
  }

  private mutating func order(_ board: BoardID, after time: Duration, number: Int) {
    if happens(70) {
      add(.bootloader(board, .any(using: &random)), at: max(.zero, time - .milliseconds(500)))
    }
    let command = SeededCommand(
      board: board, verb: "firmware-update", id: "fw-\(number)",
      arguments: #"{"confirm":"\#(board)","force":true}"#)
    add(.command(command), at: time)
    if happens(20) {
      let abort = SeededCommand(board: board, verb: "firmware-abort", id: "fw-abort-\(number)")
      add(.command(abort), at: time + milliseconds(0...10_000))
    }
    if happens(20) {
      var again = command
      again.expectation = .repetition
      add(.command(again), at: time + milliseconds(100...20_000))
    }
  }

  private mutating func add(_ fault: SeededFault, at time: Duration) {
    steps.append(SeededScript.Step(at: time, fault: fault))
  }

  private mutating func happens(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(Int.random(in: range, using: &random))
  }
}
