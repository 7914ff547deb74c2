import FleetModel
import Testing

@Suite struct SeededGeneratorTests {
  /// The published test vector of SplitMix64.
  @Test func `is split mix 64`() {
    var random = SeededGenerator(seed: 1_234_567)
    let first = (0..<3).map { _ in random.next() }
    #expect(first == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test func `fractions lie below one`() {
    var random = SeededGenerator(seed: 42)
    let fractions = (0..<10_000).map { _ in random.fraction() }
    #expect(fractions.allSatisfy { (0..<1).contains($0) })
    let mean = fractions.reduce(0, +) / 10_000
    #expect(mean > 0.45 && mean < 0.55)
  }
}
