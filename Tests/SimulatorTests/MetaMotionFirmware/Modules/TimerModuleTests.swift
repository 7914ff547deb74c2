import Simulator
import Testing

struct TimerModuleTests {
  @Test func `Created, started, ticking to whoever listens, read back, removed`() {
    var bench = Bench(.s)
    #expect(bench.write("0C 02 E8 03 00 00 03 00 01") == ["0C 02 00"])
    #expect(bench.write("0C 82 00", "0C 82 01") == ["0C 82 E8 03 00 00 03 00 01", "0C 82"])
    #expect(bench.advance(by: .seconds(10)).isEmpty)
    bench.write("0C 07 00 01", "0C 03 00")
    #expect(bench.advance(by: .milliseconds(999)) == ["0C 06 00"])
    #expect(bench.advance(by: .seconds(10)) == ["0C 06 00", "0C 06 00"])
    bench.write("0C 03 00", "0C 04 00")
    #expect(bench.advance(by: .seconds(10)).isEmpty)
    bench.write("0C 03 00", "0C 07 00 00")
    #expect(bench.advance(by: .seconds(10)).isEmpty)
    bench.write("0C 05 00")
    #expect(bench.write("0C 82 00") == ["0C 82"])
  }

  @Test func `There are eight, and the lowest free one is given`() {
    var bench = Bench(.s)
    for id in 0..<8 { #expect(bench.write("0C 02 E8 03 00 00 03 00 00") == ["0C 02 0\(id)"]) }
    #expect(bench.write("0C 02 E8 03 00 00 03 00 00").isEmpty)
    bench.write("0C 05 03")
    #expect(bench.write("0C 02 E8 03 00 00 03 00 00") == ["0C 02 03"])
  }

  @Test func `Timers run without a link and end with a reset`() {
    var bench = Bench(.s)
    bench.write("0C 02 E8 03 00 00 FF FF 00", "0C 07 00 01", "0C 03 00")
    _ = bench.disconnect()
    _ = bench.run(for: .milliseconds(5500))
    _ = bench.connect()
    #expect(bench.advance(by: .milliseconds(500)) == ["0C 06 00"])
    bench.write("FE 01")
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(bench.advance(by: .seconds(5)).isEmpty)
    #expect(bench.write("0C 82 00") == ["0C 82"])
  }

  @Test(arguments: FirmwareAssumptions.EmptySlotReply.allCases)
  func `An empty slot answers as assumed`(_ reply: FirmwareAssumptions.EmptySlotReply) {
    var assumptions = FirmwareAssumptions()
    assumptions.emptySlotReply = reply
    var bench = Bench(.s, assumptions: assumptions)
    let expected: [FirmwareAssumptions.EmptySlotReply: [String]] = [
      .header: ["0C 82"], .silence: [], .filler: ["0C 82 FF"],
    ]
    #expect(bench.write("0C 82 00") == expected[reply])
  }

  @Test func `Old firmware does not read back`() {
    var assumptions = FirmwareAssumptions()
    assumptions.programsReadBack = false
    var bench = Bench(.s, assumptions: assumptions)
    bench.write("0C 02 E8 03 00 00 FF FF 00", "0A 02 0C 06 00 01 81 00", "0F 02 01")
    #expect(bench.write("0C 82 00", "0A 82 00", "0F 82 00", "02 83 00").isEmpty)
  }

  @Test(arguments: VectorFile.cases("timer", "teardown"))
  func `Vectors get their ids`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    let answers = vector.writes.flatMap { bench.write($0) }
    // One vector's board has given three ids before.
    let isFromEmpty = vector.inject.first?.hasSuffix("00") ?? true
    #expect(!isFromEmpty || answers == vector.inject.map { [UInt8](hex: $0).hex })
  }
}
