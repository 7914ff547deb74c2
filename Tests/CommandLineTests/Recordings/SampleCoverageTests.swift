import FleetModel
import Testing

@testable import metafleet

@Suite struct SampleCoverageTests {
  @Test func `F230 what comes again is known, and holes are counted until they are filled`() {
    var coverage = SampleCoverage()
    #expect(coverage.add(100..<110) == [100..<110])
    #expect(coverage.add(110..<120) == [110..<120])
    #expect(coverage.add(110..<120) == [])
    #expect(coverage.gaps == 0 && coverage.missing == 0)
    #expect(coverage.add(130..<140) == [130..<140])
    #expect(coverage.add(160..<170) == [160..<170])
    #expect(coverage.gaps == 2 && coverage.missing == 30)
    #expect(coverage.add(120..<130) == [120..<130])
    #expect(coverage.gaps == 1 && coverage.missing == 20)
    #expect(coverage.add(105..<165) == [140..<160])
    #expect(coverage.gaps == 0 && coverage.missing == 0)
  }

  @Test func `what was published before anybody listened is not missing, and is taken when it comes`() {
    var coverage = SampleCoverage()
    _ = coverage.add(100..<110)
    #expect(coverage.add(0..<10) == [0..<10])
    #expect(coverage.missing == 90)
  }

  @Test func `a run that began while somebody listened lacks what did not come of its beginning`() {
    var coverage = SampleCoverage(from: 0)
    #expect(coverage.gaps == 0 && coverage.missing == 0)
    #expect(coverage.add(5..<10) == [5..<10])
    #expect(coverage.gaps == 1 && coverage.missing == 5)
    #expect(coverage.add(0..<5) == [0..<5])
    var whole = SampleCoverage(from: 0)
    _ = whole.add(0..<10)
    #expect(coverage == whole)
  }

  @Test func `parts that come in any order are what comes in order`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let parts = (0..<20).map { $0 * 5..<$0 * 5 + 5 }
      var coverage = SampleCoverage(from: 0)
      var taken = 0
      for part in (parts + parts).shuffled(using: &random) {
        taken += coverage.add(part).reduce(0) { $0 + $1.count }
      }
      #expect(taken == 100 && coverage.gaps == 0 && coverage.missing == 0)
    }
  }
}
