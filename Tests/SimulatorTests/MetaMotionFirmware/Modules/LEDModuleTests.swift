import Simulator
import Testing

struct LEDModuleTests {
  private static let blueTwice = "02 03 02 02 1F 00 00 00 F4 01 00 00 E8 03 00 00 02"

  private func led(_ bench: Bench) throws -> LEDModule { try #require(bench.firmware.module(LEDModule.self)) }

  @Test func `It is dark until play, and after the last repetition`() throws {
    var bench = Bench(.s)
    bench.write(Self.blueTwice)
    #expect(try led(bench).intensities(at: bench.now) == [0, 0, 0])
    #expect(bench.write("02 01 01", "02 81") == ["02 81 01"])
    #expect(try led(bench).intensities(at: .milliseconds(200)) == [0, 0, 31])
    #expect(try led(bench).intensities(at: .milliseconds(700)) == [0, 0, 0])
    #expect(try led(bench).intensities(at: .milliseconds(1200)) == [0, 0, 31])
    _ = bench.advance(by: .seconds(2))
    #expect(try !led(bench).isPlaying(at: bench.now))
    #expect(bench.write("02 81") == ["02 81 00"])
  }

  @Test func `Autoplay starts with the pattern`() throws {
    var bench = Bench(.s)
    bench.write("02 01 02", Self.blueTwice)
    #expect(try led(bench).isPlaying(at: bench.now))
    #expect(bench.write("02 81") == ["02 81 02"])
  }

  @Test func `A pause freezes the show`() throws {
    var bench = Bench(.s)
    bench.write(Self.blueTwice, "02 01 01")
    _ = bench.advance(by: .milliseconds(400))
    bench.write("02 01 00")
    _ = bench.advance(by: .seconds(10))
    #expect(try !led(bench).isPlaying(at: bench.now))
    #expect(try led(bench).intensities(at: bench.now) == [0, 0, 31])
    bench.write("02 01 01")
    #expect(try led(bench).intensities(at: bench.now + .milliseconds(200)) == [0, 0, 0])
    #expect(try led(bench).isPlaying(at: bench.now + .milliseconds(1599)))
    #expect(try !led(bench).isPlaying(at: bench.now + .milliseconds(1601)))
  }

  @Test func `Stop keeps the patterns, stop and clear forgets them`() throws {
    var bench = Bench(.s)
    bench.write(Self.blueTwice, "02 01 01", "02 02 00")
    #expect(try !led(bench).isPlaying(at: bench.now))
    #expect(bench.write("02 83 02", "02 82") == ["02 83" + Self.blueTwice.dropFirst(5), "02 82 00"])
    #expect(bench.write("02 02 01", "02 83 02", "02 82") == ["02 83", "02 82 01"])
  }

  @Test func `An empty slot may also stay silent`() {
    var assumptions = FirmwareAssumptions()
    assumptions.emptySlotReply = .silence
    var bench = Bench(.s, assumptions: assumptions)
    #expect(bench.write("02 83 00").isEmpty)
  }

  @Test func `Patterns survive a disconnect`() throws {
    var bench = Bench(.s)
    bench.write("02 03 00 02 1F 1F 00 00 F4 01 00 00 E8 03 00 00 FF", "02 01 01")
    _ = bench.disconnect()
    _ = bench.run(for: .seconds(100))
    #expect(try led(bench).intensities(at: bench.now) == [31, 0, 0])
  }

  @Test(arguments: [
    "02 03 03 02 1F 1F 00 00 F4 01 00 00 E8 03 00 00 FF", "02 03 00 02 1F 1F", "02 03 00 07 1F", "02 01 03",
    "02 02 02",
  ])
  func `Nonsense is dropped`(_ packet: String) throws {
    var bench = Bench(.s)
    #expect(bench.write(packet, "02 81", "02 82") == ["02 81 00", "02 82 00"])
    #expect(bench.write("02 83 00") == ["02 83"])
  }
}
