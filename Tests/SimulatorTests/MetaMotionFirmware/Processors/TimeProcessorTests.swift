import Testing

@testable import Simulator

struct TimeProcessorTests {
  @Test(arguments: ["07", "17"])
  func `One value per period passes`(_ mode: String) throws {
    var bench = try ProcessorBench<TimeProcessor>("\(mode) 14 00 00 00")
    var passed = 0
    for step in 0..<100 {
      bench.uptime = .milliseconds(5 * step)
      passed += bench.feed("01 02") == ["01 02"] ? 1 : 0
    }
    #expect(passed == 25)
  }

  @Test func `Differences are to the last value put out`() throws {
    var bench = try ProcessorBench<TimeProcessor>("0B E8 03 00 00")
    #expect(bench.feed("10 00 00 00") == ["-"])
    bench.uptime = .milliseconds(500)
    #expect(bench.feed("50 00 00 00") == ["-"])
    bench.uptime = .seconds(1)
    #expect(bench.feed("08 00 00 00") == ["F8 FF FF FF"])
  }

  @Test func `A shorter period takes effect at once when it is modified`() throws {
    let bench = try ProcessorBench<TimeProcessor>("07 E8 03 00 00")
    var first = bench.processor
    _ = first.process([1], ProcessorMoment(uptime: .zero))
    var modified = try #require(first.modified([UInt8](hex: "07 0A 00 00 00")))
    #expect(modified.process([2], ProcessorMoment(uptime: .milliseconds(9))) == nil)
    #expect(modified.process([2], ProcessorMoment(uptime: .milliseconds(10))) == [2])
  }
}
