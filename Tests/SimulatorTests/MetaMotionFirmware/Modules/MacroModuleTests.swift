import Simulator
import Testing

struct MacroModuleTests {
  private static let blue = "02 03 02 02 10 10 00 00 F4 01 00 00 E8 03 00 00 05"

  @Test func `A macro is recorded, not executed, read back, run on demand, and says when it has finished`()
    throws
  {
    var bench = Bench(.s)
    #expect(bench.write("0F 02 00", "0F 03 " + Self.blue, "0F 03 02 01 01", "0F 04") == ["0F 02 00"])
    #expect(bench.write("02 83 02") == ["02 83"])
    #expect(
      bench.write("0F 82 00", "0F 83 00 00", "0F 83 00 01", "0F 83 00 02") == [
        "0F 82 00 00 02", "0F 83 " + Self.blue, "0F 83 02 01 01", "0F 83",
      ])
    #expect(bench.write("0F 05 00").isEmpty)
    #expect(try #require(bench.firmware.module(LEDModule.self)).isPlaying(at: bench.now))
    #expect(bench.write("0F 06 00 01", "0F 05 00") == ["0F 07 00"])
  }

  @Test func `A command comes in parts`() {
    var bench = Bench(.s)
    bench.write(
      "0F 02 00", "0F 09 02 03", "0F 03 02 02 10 10 00 00 F4 01 00 00 E8 03 00 00 05", "0F 03 02 01 01",
      "0F 04")
    #expect(bench.write("0F 83 00 00", "0F 83 00 01") == ["0F 83 " + Self.blue, "0F 83 02 01 01"])
  }

  @Test func `At boot a macro sets everything up again before anybody connects`() {
    var bench = Bench(.s)
    bench.write(
      "0F 02 01", "0F 03 03 03 A8 02", "0F 03 09 02 03 04 FF A0 07 A5 01", "0F 03 09 07 00 01",
      "0F 03 09 03 01",
      "0F 03 03 02 01 00", "0F 03 03 01 01", "0F 04")
    #expect(bench.advance(by: .seconds(1)).isEmpty)
    for _ in 0..<2 {
      bench.write("FE 01")
      _ = bench.run(for: .seconds(3))
      _ = bench.connect()
      let packets = bench.run(for: .seconds(1)).packets
      #expect(packets.count == 100 && packets.allSatisfy { $0[0] == 9 && $0.count == 5 })
      #expect(packets.allSatisfy { abs(Double($0.int16s(from: 3)[0]) / 4096 - 1) < 0.05 })
    }
  }

  @Test func `Events are embedded, with their parameters`() {
    var bench = Bench(.s)
    bench.write("0F 02 01", "0F 03 0A 02 01 01 FF 01 81 00", "0F 04", "FE 01")
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(bench.firmware.setSwitch(pressed: true, at: bench.now).notifications == ["01 81 01"])
  }

  @Test func `Erasing waits for the link to go`() {
    var bench = Bench(.s)
    bench.write("0F 02 01", "0F 03 02 01 01", "0F 04", "0F 08")
    #expect(bench.write("0F 82 00") == ["0F 82 00 01 01"])
    _ = bench.disconnect()
    _ = bench.connect()
    #expect(bench.write("0F 82 00") == ["0F 82"])
  }

  @Test func `External power is told after the boot macros, so that they may hang events on it`() throws {
    var bench = Bench(.s)
    _ = bench.firmware.setExternalPower(true, at: bench.now)
    bench.write(
      "0F 02 01", "0F 03 0A 02 11 11 FF 02 01 01", "0F 03 0A 03 01", "0F 03 " + Self.blue, "0F 04", "FE 01")
    _ = bench.run(for: .seconds(3))
    #expect(try #require(bench.firmware.module(LEDModule.self)).isPlaying(at: bench.now))
  }

  @Test func `There are eight, and a macro that resets the board at boot does so again and again`() {
    var bench = Bench(.s)
    for id in 0..<8 { #expect(bench.write("0F 02 00", "0F 04") == ["0F 02 0\(id)"]) }
    #expect(bench.write("0F 02 00", "0F 03 02 01 01").isEmpty)
    var endless = Bench(.s)
    endless.write("0F 02 01", "0F 03 FE 01", "0F 04", "FE 01")
    _ = endless.run(for: .seconds(30))
    #expect(endless.firmware.advertisement == nil)
  }

  @Test(arguments: VectorFile.cases("macro"))
  func `Vectors are stored as they came`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    var commands: [[UInt8]] = []
    for packet in vector.writes.map({ [UInt8](hex: $0) }) {
      _ = bench.write(bytes: packet)
      if packet[0] == 0x0F, packet[1] == 0x03 { commands.append(Array(packet[2...])) }
    }
    for (index, command) in commands.enumerated() {
      #expect(bench.write(bytes: [0x0F, 0x83, 0, UInt8(index)]).packets == [[0x0F, 0x83] + command])
    }
  }
}
