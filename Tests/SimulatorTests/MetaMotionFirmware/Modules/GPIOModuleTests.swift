import Simulator
import Testing

struct GPIOModuleTests {
  @Test(arguments: [(BoardModel.rl, 3000.0, "05 87 01 72 03"), (.s, 1800, "05 87 01 72 03")])
  func `Analog reads give millivolts and the ratio of the supply`(
    _ model: BoardModel, _ supply: Double, _ ratio: String
  ) {
    var bench = Bench(model)
    _ = bench.firmware.setVoltage(supply * 882.5 / 1023, pin: 1, at: bench.now)
    #expect(bench.write("05 87 01 FF FF 00 FF") == [ratio])
    let millivolts = UInt16(supply * 882.5 / 1023)
    #expect(
      bench.write(bytes: [5, 0x86, 1]).packets == [
        [5, 0x86, 1] + [UInt8(millivolts & 0xFF), UInt8(millivolts >> 8)]
      ])
  }

  @Test func `A virtual pin labels the answer`() {
    var bench = Bench(.s)
    #expect(bench.write("05 87 02 01 02 02 15") == ["05 87 15 00 00"])
  }

  @Test func `Pulls and outputs are seen on the pin`() {
    var bench = Bench(.s)
    #expect(bench.write("05 88 04", "05 03 04", "05 88 04") == ["05 88 04 00", "05 88 04 01"])
    #expect(bench.write("05 04 04", "05 88 04", "05 01 04", "05 88 04") == ["05 88 04 00", "05 88 04 01"])
    #expect(bench.write("05 02 04", "05 88 04", "05 05 04", "05 88 04") == ["05 88 04 00", "05 88 04 00"])
  }

  @Test func `A change is told if it is of the right kind, monitored and subscribed`() {
    var bench = Bench(.s)
    func press(_ bench: inout Bench) -> [String] {
      bench.firmware.setVoltage(1800, pin: 0, at: bench.now).notifications
        + bench.firmware.setVoltage(0, pin: 0, at: bench.now).notifications
    }
    bench.write("05 0A 01", "05 09 00 03")
    #expect(press(&bench).isEmpty)
    bench.write("05 0B 00 01")
    #expect(press(&bench) == ["05 0A 00 01", "05 0A 00 00"])
    bench.write("05 09 00 01")
    #expect(press(&bench) == ["05 0A 00 01"])
    #expect(bench.write("05 89 00") == ["05 89 00 01"])
    bench.write("05 09 00 02", "05 0A 00")
    #expect(press(&bench).isEmpty)
  }

  @Test func `Only as many pins as the board has, with what they support`() {
    var bench = Bench(.s)
    #expect(bench.write("05 88 06").count == 1)
    #expect(bench.write("05 88 07", "05 86 06", "05 01 FF", "05 88", "05 86 00 00").isEmpty)
  }

  /// Some of the vendor's mock boards list no pins.
  @Test(arguments: VectorFile.cases("gpio").filter { ($0.boardModel.modules[5] ?? []).count > 2 })
  func `Vectors are taken`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    for packet in vector.writes {
      let isLoudRead = [UInt8](hex: packet)[1] & 0xC0 == 0x80
      #expect(bench.write(packet).count == (isLoudRead ? 1 : 0))
    }
  }
}
