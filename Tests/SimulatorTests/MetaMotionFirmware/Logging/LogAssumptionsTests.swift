import Testing

@testable import Simulator

/// Each answer to an open question changes what it says, and nothing else (protocol reference 41).
struct LogAssumptionsTests {
  /// A stopped board that logged so many states of its button, one entry each.
  private func bench(
    entries: Int, listens: Bool = true, _ names: String...
  ) -> Bench {
    var bench = Bench(.r, assumptions: assumptions(names))
    bench.write("0B 02 01 01 FF 00", "0B 01 01")
    for number in 0..<entries { _ = bench.firmware.setSwitch(pressed: number % 2 == 0, at: bench.now) }
    bench.write("0B 01 00")
    if listens { bench.write("0B 07 01", "0B 08 01", "0B 0D 01") }
    return bench
  }

  private func chosen(_ names: String...) -> LogAssumptions { assumptions(names).log }

  private func assumptions(_ names: [String]) -> FirmwareAssumptions {
    var assumptions = FirmwareAssumptions()
    for name in names {
      let isKnown = assumptions.log.choose(name)
      #expect(isKnown)
    }
    return assumptions
  }

  private func kinds(_ packets: [String]) -> [String] { packets.map { String($0.prefix(5)) } }

  @Test func `Names that are none are refused`() {
    var assumptions = LogAssumptions()
    let isChosen = assumptions.choose("nonsense")
    #expect(!isChosen && assumptions == LogAssumptions())
    for choice in LogAssumptions.choices { #expect(chosen(choice.name) != LogAssumptions()) }
  }

  @Test func `The length may count what is not handed out`() {
    var bench = bench(entries: 3, "time-records")
    #expect(bench.write("0B 85") == ["0B 85 04 00 00 00"])
    bench.write("0B 06 04 00 00 00 00 00 00 00")
    #expect(kinds(bench.advance(by: .seconds(1))) == ["0B 07", "0B 07", "0B 0D", "0B 08"])
    #expect(bench.write("0B 0E", "0B 85") == ["0B 85 00 00 00 00"])
  }

  @Test func `A short read-out may be rounded up to a page`() {
    var bench = bench(entries: 3, "rounded")
    bench.write("0B 06 01 00 00 00 00 00 00 00")
    #expect(kinds(bench.advance(by: .seconds(1))) == ["0B 07", "0B 07", "0B 0D", "0B 08"])
  }

  @Test func `Without page notices a read-out may stream on, and frees nothing then`() {
    var bench = bench(entries: 600, listens: false, "unnoticed")
    bench.write("0B 07 01", "0B 08 01", "0B 06 58 02 00 00 00 00 00 00")
    let packets = kinds(bench.advance(by: .seconds(5)))
    #expect(packets.count { $0 == "0B 07" } == 300 && packets.count { $0 == "0B 08" } == 2)
    #expect(bench.write("0B 85") == ["0B 85 58 02 00 00"])
  }

  @Test func `Confirmed pages may stay until the log is cleared`() {
    var bench = bench(entries: 600, "kept")
    bench.write("0B 06 58 02 00 00 00 00 00 00")
    var packets = bench.advance(by: .seconds(5))
    bench.write("0B 0E")
    packets += bench.advance(by: .seconds(5))
    bench.write("0B 0E")
    #expect(kinds(packets).count { $0 == "0B 07" } == 300)
    #expect(bench.write("0B 85") == ["0B 85 58 02 00 00"])
    #expect(bench.write("0B 09 FF FF FF FF", "0B 85") == ["0B 0D", "0B 85 00 00 00 00"])
  }

  @Test func `A growing log may be read out`() {
    var bench = bench(entries: 3, "reads-on")
    bench.write("0B 01 01", "0B 06 03 00 00 00 00 00 00 00")
    #expect(kinds(bench.advance(by: .seconds(1))) == ["0B 07", "0B 07", "0B 0D", "0B 08"])
  }

  @Test func `Less than a page may not be dropped`() {
    var bench = bench(entries: 600, "whole-pages")
    #expect(bench.write("0B 09 03 00 00 00", "0B 85") == ["0B 0D", "0B 85 58 02 00 00"])
    #expect(bench.write("0B 09 01 02 00 00", "0B 85") == ["0B 0D", "0B 85 58 00 00 00"])
    #expect(bench.write("0B 09 FF FF FF FF", "0B 85") == ["0B 0D", "0B 85 00 00 00 00"])
  }

  @Test func `An empty log may count an entry`() {
    var bench = bench(entries: 3, "stale")
    #expect(bench.write("0B 09 FF FF FF FF", "0B 85") == ["0B 0D", "0B 85 01 00 00 00"])
  }

  @Test(arguments: [
    ("page-last", ["0B 07", "0B 07", "0B 08", "0B 0D"]),
    ("entries-last", ["0B 07", "0B 08", "0B 07", "0B 0D"]),
  ])
  func `The end may come in another order`(_ name: String, _ order: [String]) {
    var bench = bench(entries: 3, name)
    bench.write("0B 06 03 00 00 00 00 00 00 00")
    #expect(kinds(bench.advance(by: .seconds(1))) == order)
  }

  @Test func `A full log may say that it does not log`() {
    for (names, answer) in [([], "0B 81 01"), (["full-stops"], "0B 81 00")] {
      var bench = Bench(.r, assumptions: assumptions(names))
      bench.write("0B 02 01 01 FF 00", "0B 01 01")
      for number in 0...EntryLogTests.capacity(of: .r) {
        _ = bench.firmware.setSwitch(pressed: number % 2 == 0, at: bench.now)
      }
      #expect(bench.write("0B 81") == [answer])
    }
  }
}
