import FleetModel
import Testing

@Suite struct ChainTests {
  @Test func `the sources keys are kept for the source`() throws {
    let chain = try Chain.parse(["from": "acceleration", "rate_hz": 50, "chain": ["rms"], "to": ["log"]])
    #expect(
      chain
        == Chain(from: "acceleration", [ChainStep("rms")], configuration: ["rate_hz": 50], outputs: [.log]))
    #expect(try Chain.parse(["from": "a", "chain": ["rms"]]).outputs == [.stream])
    #expect(try Chain.parse(["from": "a", "chain": ["rms"], "to": []]).outputs == [])
    #expect(try Chain.parse(["from": "a", "chain": ["rms"], "every": "1m"]).every == .seconds(60))
  }

  private static let refused: [(arguments: JSONObject, word: String)] = [
    (["chain": ["rms"]], "from"), (["from": "a"], "chain"), (["from": "a", "chain": []], "1 to 28"),
    (["from": "a", "chain": "rms"], "1 to 28"), (["from": "a", "chain": ["buffer", "rms"]], "step 1"),
    (["from": "a", "chain": ["rms"], "to": ["screen"]], "to"),
    (["from": "a", "chain": ["rms"], "every": "1"], "every"),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (arguments, word) = Self.refused[index]
    let failure = try #require(throws: CommandFailure.self) { try Chain.parse(arguments) }
    #expect(failure.message.contains(word), "\(failure.message)")
  }
}
