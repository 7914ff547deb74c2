import FleetModel
import Testing

@testable import MetaMotion

@Suite struct ProgramSelectionTests {
  private static let wanted = BoardProgram(
    chains: [
      "a": Chain(from: "b", [ChainStep("counter")]), "b": Chain(from: "switch", [ChainStep("counter")]),
    ],
    timers: ["t": BoardProgram.Timer(periodMilliseconds: 1)],
    events: ["e": BoardProgram.Event(.timer("t"), [])])

  @Test func `what can be had is had at once`() {
    var checks = 0
    let selection = ProgramSelection(Self.wanted) { (_: BoardProgram) throws(CommandFailure) in checks += 1 }
    #expect(selection.accepted == Self.wanted && selection.refused.isEmpty && checks == 1)
  }

  @Test func `one that cannot be had leaves the others alone, and those behind it find what they need`() {
    let selection = ProgramSelection(Self.wanted) { (program: BoardProgram) throws(CommandFailure) in
      guard program.timers.isEmpty else { throw CommandFailure(.noSlots, "no timer") }
      if !program.events.isEmpty { throw .invalid("there is no timer t") }
      if program.chains["a"] != nil, program.chains["b"] == nil { throw .invalid("there is no b") }
    }
    #expect(selection.accepted.chains == Self.wanted.chains)
    #expect(
      selection.refused.mapValues(\.code) == [
        ProgramKey(.timer, "t"): .noSlots, ProgramKey(.event, "e"): .invalid,
      ])
  }
}
