import FleetModel
import Support
import Testing

/// Numbers without the way over text are what is read of the text.
@Suite struct JSONValueWrittenTests {
  private func read(_ body: (inout JSONWriter) -> Void) throws -> JSONValue {
    var writer = JSONWriter()
    body(&writer)
    return try StrictJSON.parse(writer.take())
  }

  private static let edges: [Double] = [
    0, -0.0, 1, -1, 0.5, -0.5, 1.5, 0.012, -0.981, 0.999995, -0.000004, 0.000005, 123.456, 9e15, -9e15,
    9_007_199_254_740_992,
    8_999_999_999_999_999, 1e16, 1e300, .greatestFiniteMagnitude, .nan, .infinity, -.infinity,
  ]

  @Test(arguments: edges)
  func `edges are as they are read`(value: Double) throws {
    for decimals in -1...7 {
      #expect(try read { $0.fixed(value, decimals: decimals) } == .fixed(value, decimals: decimals))
    }
    #expect(try read { $0.number(value) } == .shortest(value))
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `any number is as it is read`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let largest = [1, 16, 2_000, 1e6, 1e10][Int.random(in: 0..<5, using: &random)]
      let value = Double.random(in: -largest...largest, using: &random)
      let decimals = Int.random(in: 0...6, using: &random)
      #expect(
        try read { $0.fixed(value, decimals: decimals) } == .fixed(value, decimals: decimals), "seed \(seed)")
      #expect(try read { $0.number(value) } == .shortest(value), "seed \(seed)")
    }
  }
}
