import FleetModel
import Testing

@testable import Storage

@Suite struct PlotNodeTests {
  @Test func `a node has the extremes and times of all that it sums up`() {
    var node = PlotNode(at: .at(5), [1, -2])
    node.add(PlotNode(at: .at(3), [4, -8]))
    node.add(PlotNode(at: .at(9), [-1, 0]))
    #expect(
      node
        == PlotNode(first: .at(3), last: .at(9), samples: 3, lowest: [-1, -8], highest: [4, 0]))
    #expect(node.span == 6_000_000_000)
  }

  @Test func `a batch is part of nodes by its samples' numbers, at every level`() {
    let levels = PlotLevel.nodes(of: .kept(sequence: 2_000, count: 100, at: 0))
    #expect(levels.count == PlotLevel.count)
    #expect(levels[0].mapValues(\.samples) == [15: 48, 16: 52])
    #expect(levels[0][15]?.lowest == [500] && levels[0][15]?.highest == [511.75])
    #expect(levels[1].mapValues(\.samples) == [0: 48, 1: 52])
    #expect(levels[4].mapValues(\.samples) == [0: 100])
    #expect((0..<PlotLevel.count).map(PlotLevel.size) == [128, 2_048, 32_768, 524_288, 8_388_608])
  }

  @Test func `an empty batch is part of none`() {
    #expect(PlotLevel.nodes(of: .kept(count: 0, at: 0)).allSatisfy { $0.isEmpty })
  }
}
