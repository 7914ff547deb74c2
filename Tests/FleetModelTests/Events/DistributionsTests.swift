import FleetModel
import Testing

@Suite struct DistributionsTests {
  @Test func `each time goes into the histogram that it belongs to`() {
    let distributions = Distributions()
    distributions.note(.milliseconds(300), times: 4, in: .sampleAge)
    distributions.note(.seconds(2), in: .commandTime)
    #expect(distributions.histogram(of: .sampleAge).count == 4)
    #expect(distributions.histogram(of: .commandTime).sum == 2)
    #expect(distributions.histogram(of: .commitTime).count == 0)
  }

  @Test func `bounds rise, and names say their unit`() {
    for distribution in Distribution.allCases {
      #expect(zip(distribution.bounds, distribution.bounds.dropFirst()).allSatisfy(<), "\(distribution)")
      #expect(distribution.exposedName.hasSuffix("_seconds"))
    }
    #expect(Set(Distribution.allCases.map(\.exposedName)).count == Distribution.allCases.count)
  }
}
