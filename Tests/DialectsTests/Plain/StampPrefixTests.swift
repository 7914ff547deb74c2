import Testing

@testable import Dialects
import FleetModel

@Suite struct StampPrefixTests {
  private func written(_ stamps: [Int64]) -> [String] {
    var prefix = StampPrefix()
    return stamps.map { stamp in
      var json = JSONWriter()
      json.tail(StampPrefix.longest) { prefix.write(stamp, to: &$0) }
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }

  @Test func `every stamp is written whole whatever came before`() {
    let stamps: [Int64] = [
      1_763_700_000_999_999, 1_763_700_001_000_000, 1_763_700_001_000_007, 1_763_700_000_000_000,
      1_000_000, 999_999, 0, -1, -1_000_000, 42, 1_763_700_001_000_007, .max, .min,
    ]
    #expect(written(stamps) == stamps.map { "{\"ts_us\":\($0)" })
  }

  @Test func `the longest has room`() {
    #expect(written([.max, .min]).allSatisfy { $0.utf8.count <= StampPrefix.longest })
  }
}
