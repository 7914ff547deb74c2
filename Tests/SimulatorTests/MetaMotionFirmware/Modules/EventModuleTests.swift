import Simulator
import Testing

struct EventModuleTests {
  @Test func `Every tick reads the temperature, for the host if read loudly`() {
    var bench = Bench(.s)
    bench.write("0C 02 E8 03 00 00 FF FF 00")
    #expect(bench.write("0A 02 0C 06 00 04 81 01") == ["0A 02 00"])
    #expect(bench.write("0A 03 01", "0C 03 00").isEmpty)
    let readings = bench.advance(by: .seconds(5))
    #expect(readings.count == 5 && readings.allSatisfy { $0.hasPrefix("04 81 01 ") })
  }

  @Test func `A command without parameters needs no second packet, and takes an empty one`() {
    var bench = Bench(.s)
    bench.write("0A 02 01 01 FF 01 81 00", "0A 03")
    #expect(bench.firmware.setSwitch(pressed: true, at: bench.now).notifications == ["01 81 01"])
  }

  @Test func `What fires when the link goes is carried out without a host`() throws {
    var bench = Bench(.s)
    bench.write(
      "0A 02 11 0A FF 02 03 0F", "0A 03 02 02 1F 00 00 00 32 00 00 00 F4 01 00 00 0A",
      "0A 02 11 0A FF 02 01 01",
      "0A 03 01")
    _ = bench.disconnect()
    let led = try #require(bench.firmware.module(LEDModule.self))
    #expect(led.isPlaying(at: bench.now + .seconds(1)))
  }

  @Test func `A reset that hangs on the disconnect comes once, though another one waits for it`() {
    var bench = Bench(.s)
    bench.write("0A 02 11 0A FF FE 01 00", "FE 05")
    _ = bench.disconnect()
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(bench.write("0B 84") == ["0B 84 00 08 00 00 01"])
  }

  @Test func `A counter's value goes into the beacon's major`() {
    var bench = Bench(.s)
    bench.write("09 02 01 01 FF 00 02 13", "0A 02 09 03 00 07 03 02 09 00", "0A 03 00 00")
    for index in 0..<6 { _ = bench.firmware.setSwitch(pressed: index % 2 == 0, at: bench.now) }
    #expect(bench.write("07 83") == ["07 83 06 00"])
  }

  @Test func `Entries read back with token and parameters, and are removed one by one or all`() {
    var bench = Bench(.s)
    bench.write("0A 02 09 03 00 07 03 02 09 00", "0A 03 00 00", "0A 02 0C 06 00 04 81 01", "0A 03 01")
    #expect(bench.write("0A 82 00", "0A 83 01") == ["0A 82 09 03 00 07 03 02 09 00", "0A 83 01"])
    bench.write("0A 04 00")
    #expect(bench.write("0A 82 00", "0A 82 01") == ["0A 82", "0A 82 0C 06 00 04 81 01"])
    bench.write("0A 05")
    #expect(bench.write("0A 82 01", "0A 81") == ["0A 82", "0A 81 01"])
  }

  @Test func `There are twenty-eight`() {
    var bench = Bench(.s)
    for _ in 0..<28 { #expect(bench.write("0A 02 01 01 FF 01 81 00").count == 1) }
    #expect(bench.write("0A 02 01 01 FF 01 81 00").isEmpty)
  }

  @Test func `An entry may create things, and the host hears their ids`() {
    var bench = Bench(.s)
    bench.write("0A 02 01 01 FF 0C 02 07", "0A 03 E8 03 00 00 03 00 00")
    #expect(bench.firmware.setSwitch(pressed: true, at: bench.now).notifications == ["0C 02 00"])
  }

  @Test func `An entry that sets itself off again ends`() {
    var bench = Bench(.s)
    bench.write("0A 02 01 01 FF FE 03 04", "0A 03 01 01 00 01")
    #expect(bench.firmware.setSwitch(pressed: true, at: bench.now).isEmpty)
    #expect(bench.write("01 81") == ["01 81 01"])
  }

  @Test(arguments: VectorFile.cases("event"))
  func `Vectors get their ids`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    let answers = vector.writes.flatMap { bench.write($0) }
    guard !vector.inject.isEmpty else { return }
    #expect(
      answers.filter { $0.hasPrefix("0A") }
        == vector.inject.filter { $0.hasPrefix("0a") }.indices.map { "0A 02 0\($0)" })
  }
}
