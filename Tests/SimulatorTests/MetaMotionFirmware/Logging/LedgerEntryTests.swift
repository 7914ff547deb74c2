import Testing

@testable import Simulator

/// What an onlooker is told of a log.
struct LedgerEntryTests {
  private func lines(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .noted(let entry, _) = $0 { "\(entry)" } else { nil } }
  }

  private func write(_ bench: inout Bench, _ packets: String...) -> [String] {
    packets.flatMap { lines(bench.firmware.write([UInt8](hex: $0), at: bench.now)) }
  }

  @Test func `Every entry, every page and every removal is told, in order`() {
    var bench = Bench(.r, ledger: .log)
    bench.write("0B 02 01 01 FF 00", "0B 07 01", "0B 08 01", "0B 0D 01", "0B 01 01")
    var told: [String] = []
    for number in 0..<3 { told += lines(bench.firmware.setSwitch(pressed: number % 2 == 0, at: bench.now)) }
    #expect(told == ["logged 000000000001000000", "logged 000000000000000000", "logged 000000000001000000"])
    #expect(write(&bench, "0B 01 00", "0B 06 03 00 00 00 00 00 00 00") == ["read-out 3"])
    #expect(lines(bench.run(for: .seconds(1))) == ["page 3"])
    #expect(write(&bench, "0B 0E") == ["confirmed 3"])
    #expect(write(&bench, "0B 0E").isEmpty)
  }

  @Test func `What the power takes and what is dropped is told`() {
    var bench = Bench(.s, ledger: .log)
    bench.write("0B 02 01 01 FF 00", "0B 01 01")
    for number in 0..<3 { _ = bench.firmware.setSwitch(pressed: number % 2 == 0, at: bench.now) }
    #expect(write(&bench, "0B 01 00", "0B 09 01 00 00 00") == ["dropped 1"])
    #expect(write(&bench, "FE 01") == ["power 2"])
  }

  @Test func `Samples are told with their own times, also where three share a packet`() {
    for packed in [false, true] {
      var bench = Bench(.s, ledger: .samples)
      bench.write(packed ? "03 05 01" : "03 04 01", "03 03 A8 01", "03 02 01 00", "03 01 01")
      let effects = bench.run(for: .milliseconds(30))
      let times = effects.compactMap {
        if case .noted(.measured(module: 3, _), let time) = $0 { time } else { nil }
      }
      #expect(times == [10, 20, 30].map { bench.now - .milliseconds(30) + .milliseconds($0) })
    }
  }

  @Test func `What a board does is told as it does it`() {
    var bench = Bench(.rl, ledger: .actions, connected: false)
    #expect(lines(bench.connect()) == ["link up"])
    #expect(write(&bench, "01 01 01").isEmpty)
    #expect(lines(bench.firmware.setSwitch(pressed: true, at: bench.now)) == ["fired 010101"])
    #expect(write(&bench, "02 03 02 01 1F 00 64 00 C8 00 00 00 03") == ["lit "])
    #expect(write(&bench, "02 01 01") == ["lit blue until 0.6"])
    #expect(write(&bench, "02 02 01") == ["lit "])
    #expect(write(&bench, "08 01 7C E8 03 00") == ["motor 50 1.0"])
    #expect(write(&bench, "05 01 04", "05 02 04", "05 04 04") == ["pin 4 high", "pin 4 low"])
    #expect(lines(bench.disconnect()) == ["link down"])
    _ = bench.connect()
    #expect(write(&bench, "FE 01") == ["link down", "restarted software"])
  }

  @Test func `A sample is told in its unit, as the host will work it out`() throws {
    var bench = Bench(.s, ledger: .actions)
    bench.write("03 04 01", "03 03 A8 01", "03 02 01 00", "03 01 01")
    let effects = bench.run(for: .milliseconds(10))
    let told = effects.compactMap {
      if case .noted(.felt(module: 3, let value), _) = $0 { value } else { nil }
    }
    let packet = try #require(effects.packets.first { $0.starts(with: [3, 4]) })
    let value = try #require(told.first)
    // 4 g full scale.
    let raw = [2, 4, 6].map { Double(Int16(bitPattern: UInt16(packet[$0]) | UInt16(packet[$0 + 1]) << 8)) }
    #expect([value.x, value.y, value.z] == raw.map { $0 / 8192 } && abs(value.z - 1) < 0.05)
    #expect(told.count == 1 && lines(effects).count == 1, "what is streamed is not told a second time")
  }

  @Test func `Nothing is told without a ledger`() {
    var bench = Bench(.r)
    bench.write("0B 02 01 01 FF 00", "0B 01 01")
    #expect(lines(bench.firmware.setSwitch(pressed: true, at: bench.now)).isEmpty)
  }

  @Test func `A crystal that is off counts other ticks`() {
    var bench = Bench(.r, crystal: Crystal(partsPerMillion: 40))
    _ = bench.run(for: .seconds(86_400))
    // 2048 ticks in three seconds, and 40 millionths more.
    #expect(bench.write("0B 84") == ["0B 84 " + UInt32(58_984_759).littleEndianBytes.hex + " 00"])
  }
}
