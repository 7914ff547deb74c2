import Simulator
import Testing

struct ModuleRackTests {
  @Test func `One signal reaches the host, a processor, an event and a logger`() {
    var bench = Bench(.s)
    bench.write("01 01 01", "09 02 01 01 FF 00 02 10", "0A 02 01 01 FF 04 81 01", "0A 03 00")
    bench.write("0B 02 01 01 FF 00", "0B 01 01")
    let effects = bench.firmware.setSwitch(pressed: true, at: bench.now)
    #expect(effects.notifications.map { $0.prefix(8) } == ["01 01 01", "04 81 00"])
    #expect(bench.write("0B 10 01", "09 84 00", "0B 85") == ["09 84 00 01 00 00 00", "0B 85 01 00 00 00"])
  }

  @Test func `A spoofed signal with an index finds its consumers`() {
    var bench = Bench(.s)
    bench.write("09 02 05 0A 02 00 02 10", "FE 03 05 0A 00 02 01", "FE 03 05 0A 00 03 01")
    #expect(bench.write("09 84 00") == ["09 84 00 01 00 00 00"])
    #expect(bench.write("FE 03 05 0A 00", "01 81") == ["01 81 00"])
  }

  @Test(arguments: BoardModel.all)
  func `No packet of any content traps or stops the board`(_ model: BoardModel) {
    var random = Numbers(state: 7)
    var bench = Bench(model, style: .everyday)
    let ids = Array(model.modules.keys.sorted())
    for _ in 0..<3000 {
      let length = Int(random.next() % 19)
      var packet = [ids[Int(random.next() % UInt64(ids.count))], UInt8(truncatingIfNeeded: random.next())]
      packet += (0..<length).map { _ in
        let byte = random.next()
        return byte & 0x300 == 0 ? UInt8(truncatingIfNeeded: byte) : UInt8(truncatingIfNeeded: byte % 4)
      }
      if packet[0] == 0xFE { packet[1] = [0x03, 0x04, 0x84, 0x09, 0x8A][Int(random.next() % 5)] }
      _ = bench.write(bytes: packet)
      if !bench.firmware.isConnected {
        _ = bench.run(for: .seconds(3))
        _ = bench.connect()
      }
      _ = bench.run(for: .microseconds(500))
    }
    #expect(!bench.firmware.isInvalidated)
  }

  /// A small generator: the numbers only have to be many and the same every time.
  struct Numbers {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }
}
