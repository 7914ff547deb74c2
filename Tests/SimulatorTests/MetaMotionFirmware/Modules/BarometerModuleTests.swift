import Testing

@testable import Simulator

struct BarometerModuleTests {
  @Test(arguments: zip(0...7 as ClosedRange<UInt8>, [83.3, 13.5, 7.33, 3.82, 1.96, 0.99, 0.5, 0.25]))
  func `The rate is the vendor's for each standby time`(_ code: UInt8, _ rate: Double) {
    var bench = Bench(.s)
    _ = bench.write(bytes: [0x12, 0x03, 0x2C, code << 5])
    bench.write("12 01 01", "12 04 01 01")
    let count = Double(bench.advance(by: .seconds(1000)).count)
    #expect(abs(count / 1000 - rate) <= 0.0065 * rate)
  }

  @Test func `Pressure is air pressure, and altitude follows from it`() throws {
    var bench = Bench(.s)
    bench.write("12 01 01", "12 02 01", "12 04 01 01")
    let packets = bench.run(for: .milliseconds(12)).packets
    let pressure = Double(try #require(packets.first { $0[1] == 1 }).uint32()) / 256
    let altitude = Double(Int32(bitPattern: try #require(packets.first { $0[1] == 2 }).uint32())) / 256
    #expect((96_000...103_000).contains(pressure))
    #expect(abs(altitude - Climate.altitude(pressure: pressure)) < 0.1)
    #expect(abs(Climate.altitude(pressure: 101_325)) < 0.01)
    #expect(abs(Climate.altitude(pressure: 89_875) - 1000) < 5)
  }

  @Test func `Without its flag there is no altitude, without oversampling nothing`() {
    var bench = Bench(.s)
    bench.write("12 02 01", "12 04 01 00")
    #expect(bench.advance(by: .seconds(1)).isEmpty)
    bench.write("12 01 01", "12 03 00 00")
    #expect(bench.advance(by: .seconds(1)).isEmpty)
  }

  @Test func `Configuration and cycle read back, and pressure is read`() {
    var bench = Bench(.s)
    bench.write("12 03 54 00", "12 04 01 01")
    #expect(bench.write("12 83", "12 84", "12 82") == ["12 83 54 00", "12 84 01 01"])
    #expect(bench.write("12 81") == ["12 81 00 00 00 00"])
    _ = bench.advance(by: .seconds(1))
    #expect(bench.write("12 81") != ["12 81 00 00 00 00"])
  }

  @Test func `The BME280 has two short standby times`() {
    let model = BoardModel(
      key: "bme280", modelNumber: "5", firmwareRevision: "1.7.3", hardwareRevision: "0.1",
      modules: [0x12: [1, 0], 0x16: [0, 0]])
    var bench = Bench(model)
    bench.write("12 03 2C C0", "12 01 01", "12 04 01 00")
    #expect(bench.advance(by: .milliseconds(2150)).count == 100)
  }
}
