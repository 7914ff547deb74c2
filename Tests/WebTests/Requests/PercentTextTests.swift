import Testing

@testable import Web

@Suite struct PercentTextTests {
  @Test func `escapes are taken for what they are`() {
    #expect(PercentText.decoded("a%2Cb+c%c3%A4") == "a,b cä")
    #expect(PercentText.decoded("") == "")
  }

  @Test(arguments: ["%", "%2", "a%zz", "%ff", "%-1", "%: 1"])
  func `what is none is no text`(text: String) {
    #expect(PercentText.decoded(text) == nil)
  }
}
