import Testing

@testable import Simulator

struct DetectedAxisTests {
  @Test func `The first axis above the threshold is named, with its sign`() {
    let detected = DetectedAxis.first(of: [0, -2, 3], in: 0x07, above: 1)
    #expect(detected == DetectedAxis(axis: 1, isNegative: true))
    #expect(
      DetectedAxis.first(of: [0, -2, 3], in: 0x04, above: 1) == DetectedAxis(axis: 2, isNegative: false))
    #expect(DetectedAxis.first(of: [0, -2, 3], in: 0x01, above: 1) == nil)
    #expect(detected?.flags(first: 0x08, sign: 0x40) == 0x50)
  }
}
