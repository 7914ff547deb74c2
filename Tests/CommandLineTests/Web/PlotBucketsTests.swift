import FleetModel
import Storage
import Testing
import Web

@testable import metafleet

@Suite struct PlotBucketsTests {
  private static let session = ULID("01JDB91TAS8N0M2T5V7X9Z1ABC")!

  /// Samples of a value each, by their milliseconds.
  private static func buckets(
    _ samples: some Sequence<(Int64, Double)>, atMost count: Int, from: Int64? = nil, to: Int64? = nil
  ) -> PlotBuckets {
    var buckets = PlotBuckets(
      PlotQuestion(
        session, stream: "s", from: from.map { Timestamp(milliseconds: $0) },
        to: to.map { Timestamp(milliseconds: $0) }, buckets: count))
    for (time, value) in samples { buckets.add(Timestamp(milliseconds: time), [value]) }
    buckets.finish()
    return buckets
  }

  private static func rows(_ buckets: PlotBuckets) -> [[Double]] {
    (buckets.object(fields: ["x"])["buckets"]?.array ?? []).map { ($0.array ?? []).compactMap(\.number) }
  }

  @Test func `however many samples there are, so many stretches hold them all`() {
    let samples = (0..<100_000).map { (number: Int64) -> (Int64, Double) in
      (1_000_000 + number * 10, Double(number % 1_000))
    }
    let buckets = Self.buckets(samples, atMost: 100)
    let rows = Self.rows(buckets)
    #expect(rows.count <= 100 && rows.count > 50)
    #expect(rows.reduce(0) { $0 + $1[1] } == 100_000)
    #expect(rows.map { $0[2] }.min() == 0 && rows.map { $0[3] }.max() == 999)
  }

  @Test func `a peak of one sample is seen, wherever it stands`() {
    for place in [0, 4_999, 9_999] as [Int64] {
      let samples = (0..<10_000 as Range<Int64>).map { ($0, $0 == place ? 7.0 : -1.0) }
      let rows = Self.rows(Self.buckets(samples, atMost: 50))
      #expect(rows.count { $0[3] == 7 } == 1 && rows.allSatisfy { $0[2] == -1 || $0[1] == 1 })
    }
  }

  @Test func `a gap is what is missing, and a slow stream has none`() {
    let slow = Self.rows(Self.buckets((0..<100).map { (1_000 * $0, 1.0) }, atMost: 2_000))
    let width = Int64(slow[1][0] - slow[0][0])
    #expect(zip(slow, slow.dropFirst()).allSatisfy { Int64($1[0] - $0[0]) == width })
    let present = Array(0..<40) + Array(60..<100)
    let broken = present.map { (number: Int) -> (Int64, Double) in (1_000 * Int64(number), 1) }
    let rows = Self.rows(Self.buckets(broken, atMost: 2_000))
    let steps = zip(rows, rows.dropFirst()).map { Int64($1[0] - $0[0]) }
    #expect(steps.count { $0 > width } == 1)
  }

  @Test func `only what lies in the stretch that is asked for counts`() {
    let buckets = Self.buckets((0..<1_000).map { (Int64($0), Double($0)) }, atMost: 10, from: 100, to: 200)
    let object = buckets.object(fields: ["x"])
    #expect(Self.rows(buckets).map { $0[0] } == (10..<20).map { Double($0 * 10) })
    #expect(Self.rows(buckets)[0] == [100, 10, 100, 109])
    #expect(object["from_ms"] == 100 && object["to_ms"] == 200 && object["fields"] == ["x"])
  }

  @Test func `times before 1970 and times that go back are no trouble`() {
    let rows = Self.rows(Self.buckets([(-5, 1), (-1, 2), (3, 3), (-5, 0)], atMost: 2))
    #expect(rows.count <= 2 && rows.reduce(0) { $0 + $1[1] } == 4)
    #expect(rows.map { $0[2] }.min() == 0 && rows.map { $0[3] }.max() == 3)
  }

  @Test func `nothing is no stretch`() {
    #expect(Self.rows(Self.buckets([(Int64, Double)](), atMost: 10)) == [])
  }

  /// A node of a hundred samples of a second.
  private static func node(_ second: Int64, to last: Int64? = nil, _ value: Double) -> PlotNode {
    PlotNode(
      first: Timestamp(milliseconds: second * 1_000),
      last: Timestamp(milliseconds: (last ?? second) * 1_000 + 990), samples: 100, lowest: [-value],
      highest: [value])
  }

  @Test func `what was summed up is drawn as the samples would be`() {
    let stored = StoredPlot(
      fields: [], nodes: (0..<3_600).map { Self.node($0, Double($0)) }, samples: 360_000)
    let rows = Self.rows(PlotBuckets(PlotQuestion(Self.session, stream: "s", buckets: 60), of: stored))
    #expect(rows.count <= 60 && rows.count > 55 && rows.reduce(0) { $0 + $1[1] } == 360_000)
    #expect(rows.last?[3] == 3_599 && rows.first?[0] == 0)
    let steps = Set(zip(rows, rows.dropFirst()).map { $1[0] - $0[0] })
    #expect(steps.count == 1)
  }

  @Test func `a gap within what was summed up is a gap`() throws {
    var nodes = (0..<1_000 as Range<Int64>).map { Self.node($0, 1) }
    nodes.append(Self.node(1_000, to: 3_000, 5))
    nodes += (3_001..<4_000 as Range<Int64>).map { Self.node($0, 1) }
    let stored = StoredPlot(fields: [], nodes: nodes, samples: 200_000)
    let rows = Self.rows(PlotBuckets(PlotQuestion(Self.session, stream: "s", buckets: 100), of: stored))
    let steps = zip(rows, rows.dropFirst()).map { (before: $0, after: $1, length: $1[0] - $0[0]) }
    let gap = try #require(steps.max { $0.length < $1.length })
    #expect(gap.length > 1_900_000 && gap.before[3] == 5 && gap.after[3] == 5)
  }
}
