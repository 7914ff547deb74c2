import BoardKit
import FleetModel
import Simulator
import VirtualTime

/// A rollout of firmware over all boards of a seeded run, and what goes wrong with it: beside all that happens anyway,
/// in some of the seeds.
struct RolloutScript {
  static let id = "fw-r"
  static let group = "pumps"

  private var random: SeededGenerator
  private(set) var steps: [SeededScript.Step] = []

  /// One seed in eight has a rollout; none of these has updates of its own (`UpdateScript`).
  static func isWanted(in seed: UInt64) -> Bool { seed % 8 == 3 }

  init(seed: UInt64, boards: Int) {
    let boards = FleetHealth.names(boards)
    random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 93)
    let time = SeededScript.overture + milliseconds(0...15_000)
    for board in boards where happens(30) {
      add(.bootloader(board, .any(using: &random)), at: max(.zero, time - .milliseconds(500)))
    }
    order(at: time)
    steer(behind: time)
    if happens(60) {
      add(.kill(downFor: milliseconds(1_000...15_000)), at: time + milliseconds(500...90_000))
    }
    if happens(20) {
      add(.restart(downFor: milliseconds(1_000...5_000)), at: time + milliseconds(500...90_000))
    }
    if happens(25), let board = boards.randomElement(using: &random) { meddle(with: board, behind: time) }
  }

  /// It ends in any case some minutes later: a board whose battery is low would be waited for.
  private mutating func order(at time: Duration) {
    let until = SeededWorld.birth + time + milliseconds(60_000...300_000)
    let abort = #"{"fail_pct":\#(one(of: [0, 10, 50])),"min_finished":2,"stranded":\#(one(of: [0, 1]))}"#
    let order = SeededCommand(
      board: nil, verb: "firmware-rollout", id: Self.id,
      arguments:
        #"{"confirm":"\#(Self.group)","version":"\#(SeededFirmware.version)","canary":\#(one(of: [1, 2])),"#
        + #""soak":"\#(one(of: [0, 5, 20]))s","ramp":{"per_hour":3600,"max_per_hour":3600},"abort":\#(abort),"#
        + #""retries":\#(one(of: [0, 1])),"timeout":"5m","until_ms":\#(until.milliseconds)}"#,
      others: "group/\(Self.group)")
    add(.command(order), at: time)
    guard happens(30) else { return }
    var again = order
    again.expectation = .repetition
    add(.command(again), at: time + milliseconds(100...60_000))
  }

  /// Somebody pauses it, goes on with it, or ends it.
  private mutating func steer(behind time: Duration) {
    if happens(35) {
      let pause = time + milliseconds(100...40_000)
      add(.command(order("rollout-pause")), at: pause)
      if happens(80) { add(.command(order("rollout-resume")), at: pause + milliseconds(1_000...40_000)) }
    }
    if happens(15) { add(.command(order("rollout-abort")), at: time + milliseconds(100...90_000)) }
  }

  private func order(_ verb: String) -> SeededCommand {
    SeededCommand(
      board: nil, verb: verb, id: "c-\(verb)", arguments: #"{"rollout":"\#(Self.id)"}"#,
      others: "gateway/test")
  }

  /// Somebody wants the same, or the contrary, of one of its boards.
  private mutating func meddle(with board: BoardID, behind time: Duration) {
    let isAbort = happens(50)
    let command = SeededCommand(
      board: board, verb: isAbort ? "firmware-abort" : "firmware-update", id: "fw-1",
      arguments: isAbort ? "{}" : #"{"confirm":"\#(board)","force":true}"#)
    add(.command(command), at: time + milliseconds(100...60_000))
  }

  private mutating func add(_ fault: SeededFault, at time: Duration) {
    steps.append(SeededScript.Step(at: time, fault: fault))
  }

  private mutating func happens(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  private mutating func one(of numbers: [Int]) -> Int { numbers.randomElement(using: &random) ?? 0 }

  private mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(Int.random(in: range, using: &random))
  }
}
