import Fleet
import Testing

@Suite struct StopStepTests {
  @Test func `F203 each step says what may be the matter`() {
    #expect(Set(StopStep.allCases.map(\.hindrance)).count == StopStep.allCases.count)
  }
}
