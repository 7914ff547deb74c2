import FleetModel
import Testing

@Suite struct HistogramTests {
  @Test func `a value falls into the first bucket whose end it does not pass`() {
    var histogram = Histogram(bounds: [1, 2, 5])
    for value in [0, 1, 1.5, 2, 5, 5.1, 1e9] { histogram.note(value) }
    #expect(histogram.counts == [2, 2, 1, 2])
    #expect(histogram.cumulative == [2, 4, 5])
    #expect(histogram.count == 7 && histogram.sum == 14.6 + 1e9)
  }

  @Test func `a batch counts as often as it has samples`() {
    var histogram = Histogram(bounds: [1])
    histogram.note(0.5, times: 25)
    #expect(histogram.counts == [25, 0] && histogram.sum == 12.5)
  }

  @Test func `what is no time changes nothing, and a clock that was set back makes nothing negative`() {
    var histogram = Histogram(bounds: [1])
    for value in [Double.nan, .infinity, -.infinity] { histogram.note(value) }
    histogram.note(1, times: 0)
    #expect(histogram == Histogram(bounds: [1]))
    histogram.note(-3)
    #expect(histogram.counts == [1, 0] && histogram.sum == 0)
  }
}
