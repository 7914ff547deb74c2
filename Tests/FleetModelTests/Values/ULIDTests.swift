import FleetModel
import Testing

@Suite struct ULIDTests {
  private static let crockford = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  private func identifier(_ milliseconds: Int64, seed: UInt64 = 1) -> String {
    var random = SeededGenerator(seed: seed)
    return ULID(at: Timestamp(milliseconds: milliseconds), using: &random).description
  }

  @Test(arguments: 0..<64 as Range<UInt64>)
  func `has 26 characters of crockfords alphabet`(seed: UInt64) {
    let text = identifier(1_763_671_234_567, seed: seed)
    #expect(text.count == 26, "seed \(seed)")
    #expect(text.allSatisfy(Self.crockford.contains), "seed \(seed)")
    // The first ten are the milliseconds: 1763671234567 in base 32.
    #expect(text.hasPrefix("01KAHFYP07"), "seed \(seed)")
  }

  @Test func `sorts by time`() {
    let times: [Int64] = [0, 1, 31, 32, 1_000, 1_763_671_234_567, 1_763_671_234_568, 9_000_000_000_000]
    let texts = times.enumerated().map { identifier($1, seed: UInt64(100 - $0)) }
    #expect(texts == texts.sorted())
  }

  @Test func `the same seed gives the same and the next one differs`() {
    #expect(identifier(5, seed: 9) == identifier(5, seed: 9))
    #expect(identifier(5, seed: 9) != identifier(5, seed: 10))
    var random = SeededGenerator(seed: 3)
    let many = (0..<1_000).map { _ in ULID(at: Timestamp(milliseconds: 5), using: &random) }
    #expect(Set(many).count == 1_000)
  }

  @Test func `all 80 random bits appear in the text`() {
    struct Ones: RandomNumberGenerator { mutating func next() -> UInt64 { .max } }
    struct Zeros: RandomNumberGenerator { mutating func next() -> UInt64 { 0 } }
    var ones = Ones()
    var zeros = Zeros()
    let time = Timestamp(milliseconds: 0)
    #expect(ULID(at: time, using: &ones).description == "0000000000ZZZZZZZZZZZZZZZZ")
    #expect(ULID(at: time, using: &zeros).description == "00000000000000000000000000")
  }

  @Test(
    arguments: [Int64.min, -1, .max])
  func `a clock before 1970 or beyond 2262 gives an identifier all the same`(milliseconds: Int64) {
    #expect(identifier(milliseconds).count == 26)
  }
}
