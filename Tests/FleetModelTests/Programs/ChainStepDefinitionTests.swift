import FleetModel
import Testing

/// MQTT contract 3.8.
@Suite struct ChainStepDefinitionTests {
  @Test func `every type of the contract is there`() {
    #expect(
      ChainStepDefinition.all.map(\.name) == [
        "passthrough", "accumulator", "counter", "average", "high-pass", "comparator", "rms", "rss", "time",
        "math", "delay", "pulse", "delta", "threshold", "buffer", "packer", "accounter", "fuser",
      ])
  }

  private static let understood: [(step: JSONValue, wanted: ChainStep)] = [
    ("rms", ChainStep("rms")), (["average": 16], ChainStep("average", ["depth": 16])),
    (["average": ["depth": 16]], ChainStep("average", ["depth": 16])),
    (
      ["threshold": ["boundary_g": 0.5, "mode": "binary"]],
      ChainStep(
        "threshold", ["boundary": 0.5, "hysteresis": 0, "mode": "binary"], units: ["boundary": "g"])
    ),
    (["threshold": 0.5], ChainStep("threshold", ["boundary": 0.5, "hysteresis": 0, "mode": "absolute"])),
    (
      ["comparator": [1, 2]],
      ChainStep("comparator", ["value": [1, 2], "op": "==", "mode": "absolute"])
    ),
    (["math": "sqrt"], ChainStep("math", ["op": "sqrt"])),
    (["fuser": ["a", "b"]], ChainStep("fuser", ["with": ["a", "b"]])),
    ("counter", ChainStep("counter", ["size": 4])),
  ]

  @Test(arguments: understood.indices)
  func `understands`(index: Int) throws {
    #expect(try ChainStepDefinition.parse(Self.understood[index].step) == Self.understood[index].wanted)
  }

  private static let refused: [(step: JSONValue, word: String)] = [
    ("median", "there is no processor"), ("average", "depth"), (["average": 0], "depth"), (["rms": 3], "rms"),
    (["rms": [:], "rss": [:]], "only key"), (5, "a step"), (["threshold": ["boundary_kg": 1]], "boundary_kg"),
    (["threshold": ["boundary_g": 1, "boundary": 2]], "once"), (["packer": 1], "count"),
    (["math": ["op": "power"]], "op"), (["fuser": []], "with"),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (step, word) = Self.refused[index]
    let failure = try #require(throws: CommandFailure.self) { try ChainStepDefinition.parse(step) }
    #expect(failure.code == .invalid)
    #expect(failure.message.contains(word), "\(failure.message)")
  }
}
