import Simulator
import Testing

struct AmbientLightModuleTests {
  @Test(arguments: zip(0...5 as ClosedRange<UInt8>, [50, 100, 200, 500, 1000, 2000]))
  func `The period is the configured one`(_ code: UInt8, _ milliseconds: Int) {
    var bench = Bench(.s)
    _ = bench.write(bytes: [0x14, 0x02, 0x00, code])
    bench.write("14 03 01", "14 01 01")
    #expect(bench.advance(by: .seconds(10)).count == 10_000 / milliseconds)
  }

  @Test func `Illuminance is told in thousandths of a lux, up to what the gain leaves`() {
    var bench = Bench(.s)
    bench.write("14 02 00 00", "14 03 01", "14 01 01")
    for packet in bench.run(for: .seconds(1)).packets {
      #expect((50_000...600_000).contains(packet.uint32()))
    }
    bench.write("14 02 1C 00")
    for packet in bench.run(for: .seconds(1)).packets { #expect(packet.uint32() <= 666_667) }
  }

  @Test func `Power and configuration read back, and power off silences`() {
    var bench = Bench(.s)
    bench.write("14 03 01", "14 01 01", "14 02 0C 28")
    #expect(bench.write("14 81", "14 82") == ["14 81 01", "14 82 0C 28"])
    bench.write("14 01 00")
    #expect(bench.advance(by: .seconds(5)).isEmpty)
  }
}
