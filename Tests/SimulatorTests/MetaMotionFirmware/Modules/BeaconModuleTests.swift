import Simulator
import Testing

struct BeaconModuleTests {
  @Test func `An enabled beacon is on air when nobody is connected`() {
    var bench = Bench(.s)
    bench.write(
      "07 02 5A E7 BA FB 4C 46 DD D9 95 91 CB 85 06 90 6A 32", "07 03 4E 00", "07 04 01 02", "07 05 C9",
      "07 01 01")
    #expect(bench.firmware.advertisement == nil)
    _ = bench.disconnect()
    let uuid = "32 6A 90 06 85 CB 91 95 D9 DD 46 4C FB BA E7 5A"
    #expect(
      bench.firmware.advertisement?.manufacturerData[0x004C]?.hex == "02 15 \(uuid) 00 4E 02 01 C9")
    #expect(bench.firmware.advertisement?.localName == "MetaWear")
    _ = bench.connect()
    bench.write("07 01 00")
    _ = bench.disconnect()
    #expect(bench.firmware.advertisement?.manufacturerData[0x004C] == nil)
  }

  @Test(arguments: VectorFile.cases("ibeacon").filter { $0.kind == "command" })
  func `Every register reads back as written`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    for packet in vector.writes.map({ [UInt8](hex: $0) }) {
      _ = bench.write(bytes: packet)
      #expect(bench.write(bytes: [7, 0x80 | packet[1]]).packets == [[7, 0x80 | packet[1]] + packet[2...]])
    }
  }
}
