import Testing

@testable import Fleet

@Suite struct ReadOutRepeatsTests {
  @Test("F110 a log is read out three times in a row without getting on, and as often as it gets on")
  func bounded() {
    var repeats = ReadOutRepeats(settled: 10)
    #expect([10, 10, 10].map { repeats.ended(settled: $0) } == [true, true, false])
    repeats = ReadOutRepeats(settled: 10)
    #expect(
      [10, 20, 20, 30, 30, 30].map { repeats.ended(settled: $0) } == [true, true, true, true, true, false])
  }
}
