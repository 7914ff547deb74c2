import Testing

@testable import metafleet

@Suite struct SparklineTests {
  private func line(_ values: [Double], width: Int = 8) -> String {
    var line = Sparkline(width: width)
    for value in values { line.append(value) }
    return line.text
  }

  @Test(
    arguments: [
      ([], ""), ([5], "▄"), ([1, 1, 1], "▄▄▄"), ([0, 1], "▁█"), ([1, 2, 3, 4, 5, 6, 7, 8], "▁▂▃▄▅▆▇█"),
      ([-1, .nan, 1, .infinity], "▁█"), ([-.greatestFiniteMagnitude, .greatestFiniteMagnitude], "▄▄"),
    ] as [([Double], String)])
  func `values become bars`(_ values: [Double], _ expected: String) {
    #expect(line(values) == expected)
  }

  @Test func `only the last values are kept`() {
    #expect(line([100, 0, 1], width: 2) == "▁█")
  }
}
