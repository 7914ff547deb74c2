import Simulator
import Testing

/// What a whole program does on a board: sensors, fusion, processors, timers, events and a macro together.
struct ProgramTests {
  /// Fusion with its quaternion thinned to 10 Hz, the temperature each second into a counter, and the button counted.
  private static let program = [
    "19 02 01 13", "03 03 A8 03", "13 03 28 00", "15 01 00", "15 04 04 0E", "15 03 06",
    "09 02 19 07 FF E0 08 17 64 00 00 00", "09 02 04 81 00 20 02 1F", "09 02 01 01 FF 00 02 13",
    "0C 02 E8 03 00 00 FF FF 00", "0A 02 0C 06 00 04 81 01", "0A 03 00", "0A 02 09 03 02 07 03 02 09 00",
    "0A 03 00 00",
    "03 02 01 00", "13 02 01 00", "15 02 01 00", "03 01 01", "13 01 01", "15 01 01", "19 03 08 00",
    "19 01 01",
    "0C 03 00",
  ]

  @Test(arguments: [UInt64(1), 2, 3])
  func `A program runs, survives a reset in a boot macro, and runs the same again`(_ seed: UInt64) {
    var bench = Bench(.s, seed: seed, style: .everyday)
    bench.write("0F 02 01")
    for command in Self.program { bench.write("0F 03 " + command) }
    bench.write("0F 04")
    for _ in 0..<2 {
      bench.write("FE 01")
      _ = bench.run(for: .seconds(3))
      _ = bench.connect()
      #expect(
        bench.write("09 82 00", "0C 82 00", "0A 82 01", "19 81") == [
          "09 82 19 07 FF E0 08 17 64 00 00 00", "0C 82 E8 03 00 00 FF FF 00",
          "0A 82 09 03 02 07 03 02 09 00", "19 81 01",
        ])
      bench.write("09 03 01", "09 07 00 01")
      let packets = bench.run(for: .seconds(10)).packets
      let quaternions = packets.filter { $0[..<3] == [9, 3, 0] }
      #expect(quaternions.count == 100)
      for packet in quaternions {
        let q = packet.floats(from: 3)
        #expect(abs(q.map { $0 * $0 }.reduce(0, +) - 1) < 1e-5)
      }
      #expect(packets.count { $0[..<2] == [4, 0x81] } == 10)
      #expect(bench.write("09 84 01") == ["09 84 01 0A 00 00 00"])
      for index in 0..<4 { _ = bench.firmware.setSwitch(pressed: index % 2 == 0, at: bench.now) }
      #expect(bench.write("07 83") == ["07 83 04 00"])
    }
  }

  @Test func `A factory reset leaves nothing`() {
    var bench = Bench(.s)
    for command in Self.program { bench.write(command) }
    bench.write("0B 02 01 01 FF 00", "0F 02 01", "0F 03 02 01 01", "0F 04", "11 01 41")
    bench.write("0B 01 00", "0B 09 FF FF FF FF", "0B 0A", "0A 05", "09 08", "0F 08", "FE 05", "FE 06")
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(
      bench.write("0B 85", "0B 82 00", "0A 82 00", "09 82 00", "0F 82 00", "0C 82 00", "11 81", "0B 84") == [
        "0B 85 00 00 00 00", "0B 82", "0A 82", "09 82", "0F 82", "0C 82", "11 81 4D 65 74 61 57 65 61 72",
        "0B 84 00 08 00 00 01",
      ])
    #expect(bench.advance(by: .seconds(5)).isEmpty)
  }

  @Test(arguments: [BoardModel.r, .rl, .s])
  func `A reconnecting host gets the streams that an earlier one left on`(_ model: BoardModel) {
    var bench = Bench(model)
    let gyroscope = model == .s ? "13 04 01" : "13 05 01"
    bench.write(gyroscope, "13 02 01 00", "13 01 01", "15 05 01", "15 02 01 00", "15 01 01")
    _ = bench.disconnect()
    #expect(bench.advance(by: .seconds(60)).isEmpty)
    _ = bench.connect()
    #expect(bench.advance(by: .seconds(1)).count == 110)
  }
}
