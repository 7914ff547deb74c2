import FleetModel
import Testing

@testable import Fleet

@Suite struct RolloutEndTests {
  private static let board = RolloutRun.board(1)
  private static let here = RolloutBoard(installed: "1.7.3", isAnswering: true)
  private static let underWay = RolloutBoard(update: .underWay)
  private static let stranded = RolloutBoard(update: .stranded("its checksum is wrong"))

  private static func failed(_ code: CommandFailure.Code) -> CommandOutcome {
    .failed(CommandFailure(code, "words"))
  }

  @Test func `the answer to its command tells how an update ended`() {
    let done = CommandOutcome.done(evidence: .readback, data: [:])
    #expect(RolloutEnd.result(of: done, Self.here, wanting: "1.8.0") == .done)
    for code in CommandFailure.Code.allCases {
      let isPutOff = [
        .unreachable, .expired, .busy, .undownloadedData, .lowBattery, .noSlots, .internal,
      ].contains(code)
      #expect(
        RolloutEnd.result(of: Self.failed(code), Self.here, wanting: "1.8.0")
          == (isPutOff ? .postponed("words") : .failed("words")), "\(code)")
    }
  }

  @Test func `an update that somebody ended is not begun again`() {
    for failure in [CommandFailure.cancelled, BoardUpdate.aborted] {
      let outcome = CommandOutcome.failed(failure)
      #expect(RolloutEnd.result(of: outcome, Self.here, wanting: "1.8.0") == .withdrawn(failure.message))
      #expect(RolloutEnd.result(ofStored: outcome) == .withdrawn(failure.message))
    }
  }

  @Test func `a board that somebody has given the version meanwhile has it`() {
    #expect(RolloutEnd.result(of: Self.failed(.invalid), Self.here, wanting: "1.7.3") == .done)
    #expect(RolloutEnd.result(of: Self.failed(.boardError), Self.here, wanting: "1.7.3") == .failed("words"))
  }

  @Test func `F257 a board that waits without firmware is stranded, whatever was answered`() {
    for outcome in [Self.failed(.boardError), .unknown(message: "lost")] {
      #expect(
        RolloutEnd.result(of: outcome, Self.stranded, wanting: "1.7.3") == .stranded("its checksum is wrong"))
    }
  }

  @Test func `F258 an update whose command ended before it is waited for, and the board tells how it ended`()
  {
    let unknown = CommandOutcome.unknown(message: "the gateway let go of the board")
    // Whatever is answered by whoever waited for it no longer.
    for answer in [unknown, Self.failed(.boardError), .done(evidence: nil, data: [:])] {
      #expect(RolloutEnd.result(of: answer, Self.underWay, wanting: "1.7.3") == nil)
    }
    #expect(RolloutEnd.result(of: unknown, Self.here, wanting: "1.7.3") == nil)
    #expect(RolloutEnd.event(of: Self.board, Self.underWay, isOverdue: false) == nil)
    #expect(RolloutEnd.event(of: Self.board, RolloutBoard(), isOverdue: false) == nil)
    #expect(
      RolloutEnd.event(of: Self.board, Self.here, isOverdue: false)
        == .found(Self.board, "1.7.3"))
    #expect(
      RolloutEnd.event(of: Self.board, Self.stranded, isOverdue: false)
        == .ended(Self.board, .stranded("its checksum is wrong")))
  }

  @Test func `a board that is gone, or away for too long, keeps nobody from its adapter`() {
    #expect(RolloutEnd.event(of: Self.board, nil, isOverdue: false) == .removed(Self.board))
    #expect(
      RolloutEnd.event(of: Self.board, RolloutBoard(), isOverdue: true)
        == .ended(Self.board, .failed("it was not heard again")))
    #expect(RolloutEnd.result(of: .unknown(message: "removed"), nil, wanting: "1.7.3") == .failed("removed"))
  }

  @Test func `F258 of a command of an earlier run only what is certain counts`() {
    let stored = { (text: String) in
      RolloutEnd.result(
        ofStored: CommandOutcome(
          stored: (try? StrictJSON.parse(Array(text.utf8)).object) ?? [:]))
    }
    #expect(stored(#"{"stage":"done"}"#) == .done)
    #expect(
      stored(#"{"stage":"failed","code":"low-battery","message":"charge it"}"#) == .postponed("charge it"))
    #expect(stored(#"{"stage":"failed","code":"board-error","message":"x"}"#) == nil)
    #expect(stored(#"{"stage":"unknown","message":"x"}"#) == nil)
  }
}
