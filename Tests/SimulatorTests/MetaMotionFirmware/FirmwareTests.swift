import Simulator
import Testing

struct FirmwareTests {
  static let everyID = Array(UInt8.min...UInt8.max)

  @Test(arguments: BoardModel.all)
  func `Every id answers its information read, an absent module with two bytes`(_ model: BoardModel) {
    var bench = Bench(model)
    for id in Self.everyID {
      let answer = bench.write(bytes: [id, 0x80]).packets
      #expect(answer == [[id, 0x80] + (model.modules[id] ?? [])])
    }
  }

  @Test(arguments: BoardModel.all)
  func `No write and no read of any register ends the link or is answered with an error`(_ model: BoardModel)
  {
    for id in Self.everyID where id != 0xFE {
      var bench = Bench(model)
      for second in Self.everyID {
        let effects = bench.write(bytes: [id, second])
        #expect(effects.packets.allSatisfy { $0[0] == id && $0[1] == second })
      }
      #expect(bench.firmware.isConnected)
    }
  }

  @Test(arguments: [
    "03 03 28", "03 03 28 03 00", "03 02 01", "03 01", "01 01", "01 01 01 00", "11 02 9B 02", "FE 04 01",
    "FE 01 00",
    "FE 06 00",
  ])
  func `A write of the wrong length is dropped without a word`(_ packet: String) {
    var bench = Bench(.s)
    let before = bench.write("03 83", "03 82", "03 81", "11 82", "FE 84")
    #expect(bench.write(packet).isEmpty)
    #expect(bench.write("03 83", "03 82", "03 81", "11 82", "FE 84") == before)
    #expect(bench.firmware.isConnected)
  }

  @Test(arguments: ["03 C3", "04 C1 00", "0B C4", "11 CC", "FE C4", "01 C1", "02 C3 00", "03 C0"])
  func `A silent read is silent`(_ packet: String) {
    var bench = Bench(.s)
    #expect(bench.write(packet).isEmpty)
  }

  @Test func `Without a link nothing is written and nothing is sent`() {
    var bench = Bench(.s, connected: false)
    #expect(bench.write("03 80").isEmpty)
    _ = bench.connect()
    #expect(bench.write("03 80") == ["03 80 04 00"])
  }

  @Test func `A subscription survives a disconnect`() {
    var bench = Bench(.s)
    bench.write("03 03 A8 02", "03 04 01", "03 02 01 00", "03 01 01")
    _ = bench.disconnect()
    #expect(bench.advance(by: .seconds(1)).isEmpty)
    _ = bench.connect()
    #expect(bench.advance(by: .seconds(1)).count == 100)
  }

  @Test func `A reset drops the link, ends subscriptions, and advances the reset count`() {
    var bench = Bench(.s, resetCount: 7)
    bench.write("03 04 01", "03 02 01 00", "03 01 01", "02 03 00 02 1F 1F 00 00 F4 01 00 00 E8 03 00 00 FF")
    _ = bench.advance(by: .seconds(10))
    #expect(bench.write(bytes: [0xFE, 0x01]) == [.dropLink])
    #expect(!bench.firmware.isConnected)
    _ = bench.run(for: .seconds(4))
    _ = bench.connect()
    bench.write("03 02 01 00", "03 01 01")
    #expect(bench.advance(by: .seconds(1)).isEmpty)
    // Tick of five seconds, reset count 0 after 7; a software reset.
    #expect(bench.write("0B 84", "FE 8B") == ["0B 84 55 0D 00 00 00", "FE 8B 04 00 00 00"])
    #expect(bench.write("02 83 00") == ["02 83"])
  }

  @Test func `After a reset the board is away for three seconds`() {
    var bench = Bench(.s)
    bench.write("FE 01")
    #expect(bench.firmware.advertisement == nil)
    #expect(bench.firmware.nextEvent == bench.now + .seconds(3))
    #expect(bench.connect() == [.dropLink])
    #expect(bench.run(for: .milliseconds(2999)).isEmpty)
    #expect(bench.run(for: .milliseconds(1)) == [.advertisementChanged])
    #expect(bench.firmware.advertisement?.localName == "MetaWear")
    #expect(bench.connect() == [.advertisementChanged])
    #expect(bench.firmware.isConnected)
  }

  @Test func `A delayed reset waits for the link to go`() {
    var bench = Bench(.s)
    bench.write("FE 05")
    #expect(bench.write("0B 84") == ["0B 84 00 00 00 00 00"])
    #expect(bench.write(bytes: [0xFE, 0x06]) == [.dropLink])
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(bench.write("0B 84") == ["0B 84 00 08 00 00 01"])
  }

  @Test func `A delayed reset comes at once where that is assumed`() {
    var assumptions = FirmwareAssumptions()
    assumptions.delayedResetActsAtOnce = true
    var bench = Bench(.s, assumptions: assumptions)
    #expect(bench.write(bytes: [0xFE, 0x05]) == [.dropLink])
  }

  @Test func `The board drops the link when told, and advertises again at once`() {
    var bench = Bench(.s)
    #expect(bench.write(bytes: [0xFE, 0x06]) == [.dropLink, .advertisementChanged])
    #expect(bench.firmware.advertisement != nil)
    #expect(bench.disconnect().isEmpty)
  }

  @Test func `Power save ends the next reset switched off, until the button is pressed`() {
    var bench = Bench(.s)
    bench.write("FE 07", "0B 84")
    #expect(bench.firmware.isConnected)
    bench.write("FE 01")
    _ = bench.run(for: .seconds(60))
    #expect(bench.firmware.advertisement == nil && bench.firmware.nextEvent == nil)
    _ = bench.firmware.setSwitch(pressed: true, at: bench.now)
    _ = bench.run(for: .seconds(3))
    #expect(bench.firmware.advertisement != nil)
  }

  @Test func `In its bootloader the firmware is off the air and speaks no packets`() {
    var bench = Bench(.s)
    #expect(bench.write(bytes: [0xFE, 0x02]) == [.dropLink, .advertisementChanged])
    #expect(bench.firmware.isBootloader && !bench.firmware.isInvalidated)
    #expect(bench.firmware.advertisement == nil)
    #expect(bench.connect() == [.dropLink] && bench.write("03 80").isEmpty)
    _ = bench.firmware.cyclePower(at: bench.now)
    _ = bench.run(for: .seconds(3))
    #expect(bench.firmware.advertisement?.localName == "MetaWear")
  }

  @Test func `An invalidated application never comes back`() {
    var bench = Bench(.s)
    bench.write("FE 08")
    #expect(bench.firmware.isInvalidated)
    _ = bench.firmware.cyclePower(at: bench.now)
    _ = bench.run(for: .seconds(10))
    #expect(bench.firmware.isInvalidated && bench.firmware.advertisement == nil)
  }

  @Test func `The bootloader starts the application as it was, or as other firmware`() {
    var bench = Bench(.s)
    bench.write("FE 02")
    _ = bench.firmware.leaveBootloader(at: bench.now)
    _ = bench.run(for: .seconds(3))
    #expect(bench.firmware.advertisement != nil && bench.firmware.model == .s)
    _ = bench.connect()
    bench.write("FE 02")
    _ = bench.firmware.leaveBootloader(running: "1.6.0", clearing: true, at: bench.now)
    _ = bench.run(for: .seconds(3))
    #expect(bench.firmware.model.firmwareRevision == "1.6.0" && bench.firmware.model.advertisesAddress)
    #expect(bench.firmware.model.modules == BoardModel.s.modules)
  }

  @Test func `An advertising time-out silences the board until the button is pressed`() {
    var bench = Bench(.s)
    bench.write("11 02 9B 02 0A 00")
    _ = bench.disconnect()
    _ = bench.run(for: .seconds(9))
    #expect(bench.firmware.advertisement != nil)
    #expect(bench.run(for: .seconds(1)) == [.advertisementChanged])
    #expect(bench.firmware.advertisement == nil)
    _ = bench.firmware.setSwitch(pressed: true, at: bench.now)
    #expect(bench.firmware.advertisement != nil)
  }

  @Test func `One seed is one board, another seed another`() {
    func recording(seed: UInt64) -> [String] {
      var bench = Bench(.rl, seed: seed, style: .everyday)
      return bench.write("04 81 00", "11 8C", "03 1C 01", "03 02 01 00", "03 01 01")
        + bench.advance(by: .seconds(30))
    }
    #expect(recording(seed: 4) == recording(seed: 4))
    #expect(recording(seed: 4) != recording(seed: 5))
  }

  @Test func `What comes out does not depend on how often time is told`() {
    func recording(step: Duration) -> [String] {
      var bench = Bench(.s, style: .everyday)
      bench.write("03 04 01", "03 02 01 00", "03 01 01")
      var effects: [Effect] = []
      while bench.now < .seconds(3) {
        bench.now += step
        effects += bench.firmware.advance(to: bench.now)
      }
      return effects.notifications
    }
    #expect(recording(step: .seconds(3)) == recording(step: .milliseconds(7.5)))
  }
}
