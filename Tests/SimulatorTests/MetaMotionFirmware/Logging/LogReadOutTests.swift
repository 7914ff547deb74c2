import Testing

@testable import Simulator

/// Read-out of the log (protocol reference 16.5 and 38, item 9).
struct LogReadOutTests {
  /// A board that logged so many states of its button, one entry each, and was told to listen.
  private func bench(_ model: BoardModel, entries: Int, listens: Bool = true) -> Bench {
    var bench = Bench(model)
    bench.write("0B 02 01 01 FF 00", "0B 01 01")
    for number in 0..<entries { _ = bench.firmware.setSwitch(pressed: number % 2 == 0, at: bench.now) }
    bench.write("0B 01 00", "0B 10 01")
    if listens { bench.write("0B 07 01", "0B 08 01", "0B 0D 01") }
    return bench
  }

  private func entries(in packets: [String]) -> Int {
    packets.filter { $0.hasPrefix("0B 07") }.reduce(0) { $0 + ($1.count + 1) / 3 / 9 }
  }

  @Test(arguments: [BoardModel.s, .r, .rl])
  func `Entries come in pairs, then the page and the progress`(_ model: BoardModel) {
    var bench = bench(model, entries: 3)
    #expect(bench.write("0B 85") == ["0B 85 03 00 00 00"])
    bench.write("0B 06 03 00 00 00 00 00 00 00")
    let packets = bench.advance(by: .seconds(1))
    #expect(packets.map { $0.prefix(5) } == ["0B 07", "0B 07", "0B 0D", "0B 08"])
    #expect(packets.map(\.count) == [20 * 3 - 1, 11 * 3 - 1, 5, 6 * 3 - 1])
    #expect(packets.last == "0B 08 00 00 00 00")
  }

  @Test func `What is not confirmed comes again, what is confirmed is gone`() {
    var bench = bench(.s, entries: 700)
    bench.write("0B 06 BC 02 00 00 00 00 00 00")
    #expect(entries(in: bench.advance(by: .seconds(5))) == 512)
    _ = bench.disconnect()
    _ = bench.connect()
    #expect(bench.write("0B 85") == ["0B 85 BC 02 00 00"])
    bench.write("0B 06 BC 02 00 00 00 00 00 00")
    let first = bench.advance(by: .seconds(5))
    #expect(entries(in: first) == 512 && first.suffix(2) == ["0B 0D", "0B 08 BC 00 00 00"])
    #expect(bench.write("0B 0E", "0B 85", "0B 8C") == ["0B 85 BC 00 00 00", "0B 8C 01 00"])
    let rest = bench.advance(by: .seconds(5))
    #expect(entries(in: rest) == 188 && rest.suffix(2) == ["0B 0D", "0B 08 00 00 00 00"])
    #expect(bench.write("0B 0E", "0B 85") == ["0B 85 00 00 00 00"])
    #expect(bench.advance(by: .seconds(5)).isEmpty)
  }

  @Test func `A log of whole pages ends with one more notice`() {
    var bench = bench(.s, entries: 512)
    bench.write("0B 06 00 02 00 00 00 00 00 00")
    #expect(bench.advance(by: .seconds(5)).suffix(2) == ["0B 0D", "0B 08 00 00 00 00"])
    bench.write("0B 0E")
    #expect(bench.advance(by: .seconds(5)) == ["0B 0D", "0B 08 00 00 00 00"])
  }

  @Test func `Progress is told as often as asked for`() {
    var bench = bench(.r, entries: 10)
    bench.write("0B 06 0A 00 00 00 04 00 00 00")
    let progress = bench.advance(by: .seconds(1)).filter { $0.hasPrefix("0B 08") }
    #expect(progress == ["0B 08 06 00 00 00", "0B 08 02 00 00 00", "0B 08 00 00 00 00"])
  }

  @Test func `A board that logs, an empty log and a request for nothing yield nothing`() {
    var empty = bench(.s, entries: 0)
    empty.write("0B 06 00 00 00 00 00 00 00 00", "0B 0E")
    #expect(empty.advance(by: .seconds(1)).isEmpty)
    var logging = bench(.s, entries: 3)
    logging.write("0B 01 01", "0B 06 03 00 00 00 00 00 00 00")
    #expect(logging.advance(by: .seconds(1)).isEmpty)
  }

  @Test func `A page that is still gathered is missing until it is flushed, and lost with the power`() {
    var bench = Bench(.s)
    bench.write("0B 02 01 01 FF 00", "0B 01 01")
    for number in 0..<600 { _ = bench.firmware.setSwitch(pressed: number % 2 == 0, at: bench.now) }
    #expect(bench.write("0B 01 00", "0B 85") == ["0B 85 00 02 00 00"])
    bench.write("FE 01")
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(bench.write("0B 10 01", "0B 85") == ["0B 85 00 02 00 00"])
  }

  @Test func `A page is noticed whether or not somebody asked for that`() {
    var bench = bench(.s, entries: 600, listens: false)
    bench.write("0B 07 01", "0B 06 58 02 00 00 00 00 00 00")
    #expect(bench.advance(by: .seconds(5)).suffix(1) == ["0B 0D"])
    bench.write("0B 0E")
    #expect(entries(in: bench.advance(by: .seconds(5))) == 88)
  }

  @Test func `A drop is told when it has ended, if that is listened to`() {
    var bench = bench(.r, entries: 3)
    #expect(bench.write("0B 09 FF FF FF FF", "0B 85") == ["0B 0D", "0B 85 00 00 00 00"])
    bench = self.bench(.r, entries: 3, listens: false)
    #expect(bench.write("0B 09 02 00 00 00", "0B 85") == ["0B 85 01 00 00 00"])
  }
}
