import Simulator
import Testing

struct SerialModuleTests {
  @Test func `The device on I2C says who it is, and keeps what is written`() {
    var bench = Bench(.s)
    #expect(bench.write("0D 81 1C 0D 0A 01") == ["0D 81 0A 2A"])
    bench.write("0D 01 1C 2A FF 02 DE AD")
    #expect(bench.write("0D 81 1C 29 01 04") == ["0D 81 01 00 DE AD 00"])
  }

  @Test func `An answer has room for seventeen bytes`() {
    var bench = Bench(.s)
    #expect(bench.write(bytes: [0x0D, 0x81, 0x1C, 0, 1, 40]).packets.first?.count == 20)
  }

  @Test func `The device on SPI answers with its registers`() {
    var bench = Bench(.s)
    #expect(bench.write("0D 82 0A 00 0B 07 76 E4 DA") == ["0D 82 0E 07 30 81 0B C0"])
    bench.write("0D 02 0A 00 0B 07 76 5A 08")
    #expect(bench.write("0D 82 0A 00 0B 07 76 E0 DA") == ["0D 82 0E 08"])
  }

  @Test func `Silent reads of an id reach its logger, loud ones its processor`() {
    var bench = Bench(.s)
    bench.write("0B 02 0D C1 05 00", "0B 02 0D C2 05 60", "09 02 0D 81 85 00 02 1F", "0B 01 01")
    bench.write("0D C1 1C 0D 05 01", "0D C1 1C 0D 06 01", "0D 81 1C 0D 05 01", "0D C1 1D 0D 05 01")
    bench.write("0D C2 0A 00 0B 07 76 53 DA", "0D C2 0A 00 0B 07 76 63 DA")
    #expect(bench.write("0D 81 1C 0D 85 01", "09 84 00") == ["0D 81 85 2A", "09 84 00 01 00 00 00"])
    bench.write("0D C1 1C 0D 85 01", "0D 81 1C 0D 86 01")
    #expect(bench.write("09 84 00") == ["09 84 00 01 00 00 00"])
    #expect(bench.write("0B 10 01", "0B 85") == ["0B 85 02 00 00 00"])
  }

  @Test(arguments: [
    "0D 81 1D 0D 0A 01", "0D 81 1C 0D 0A", "0D 82 0B 00 0B 07 76 E4 DA", "0D 82 0A 00 0B 07 76",
    "0D C1 1C 0D 0A 01",
    "0D 01 1C 00 FF 0B 00", "0D 02 0A 00 0B 07 76",
  ])
  func `Who is not there, or asked wrongly or silently, does not answer`(_ packet: String) {
    var bench = Bench(.s)
    #expect(bench.write(packet).isEmpty)
  }
}
