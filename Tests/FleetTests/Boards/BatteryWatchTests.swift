import FleetModel
import Testing

@testable import Fleet

@Suite struct BatteryWatchTests {
  private static func told(_ readings: [Int]) -> [BatteryWatch.Level?] {
    var watch = BatteryWatch()
    return readings.map { watch.take($0, at: .at(0)) }
  }

  @Test func `F51 a level is told with the first reading that reaches it`() {
    #expect(Self.told([100, 21, 20]) == [nil, nil, .low])
    #expect(Self.told([100, 3]) == [nil, .critical])
    #expect(Self.told([20, 5]) == [.low, .critical])
  }

  @Test func `F51 readings that swing around a level tell it once`() {
    #expect(Self.told([20, 23, 20, 25, 19]) == [.low, nil, nil, nil, nil])
    #expect(Self.told([20, 26, 20]) == [.low, nil, .low])
    #expect(Self.told([5, 10, 4, 11, 5]) == [.critical, nil, nil, nil, .critical])
  }

  @Test func `F51 it is low since the first such reading, until it is charged`() {
    var watch = BatteryWatch()
    for (percent, time) in [(20, 1), (4, 2), (24, 3)] { _ = watch.take(percent, at: .at(Int64(time))) }
    #expect(watch.lowSince == .at(1) && watch.level == .low)
    _ = watch.take(26, at: .at(4))
    #expect(watch.lowSince == nil && watch.level == .good)
  }
}
