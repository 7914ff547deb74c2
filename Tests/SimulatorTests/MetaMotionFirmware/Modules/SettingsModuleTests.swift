import Simulator
import Testing

struct SettingsModuleTests {
  @Test func `The defaults are the firmware's`() {
    var bench = Bench(.s)
    #expect(
      bench.write("11 81", "11 82", "11 83", "11 87", "11 89") == [
        "11 81 4D 65 74 61 57 65 61 72", "11 82 9C 02 00 00", "11 83 00", "11 87",
        "11 89 06 00 09 00 00 00 58 02",
      ])
  }

  @Test func `A new name is advertised, and a longer one is cut for the reply`() {
    var bench = Bench(.s)
    #expect(bench.write(bytes: [UInt8](hex: "11 01 42 6F 61 72 64 20 31")) == [.advertisementChanged])
    _ = bench.disconnect()
    #expect(bench.firmware.advertisement?.localName == "Board 1")
    #expect(bench.firmware.advertisement?.service == MetaMotionAttributes.service)
  }

  @Test(arguments: ["11 01", "11 01 41 2F 42", "11 01 C3 A9"])
  func `A name of other characters is dropped`(_ packet: String) {
    var bench = Bench(.s)
    #expect(bench.write(packet, "11 81") == ["11 81 4D 65 74 61 57 65 61 72"])
  }

  @Test func `Only the eight transmit powers are taken`() {
    var bench = Bench(.s)
    #expect(bench.write("11 03 EC", "11 83", "11 03 07", "11 83") == ["11 83 EC", "11 83 EC"])
  }

  @Test func `A scan response is put together from its two parts and is what is advertised`() {
    var bench = Bench(.s)
    // Name "A", company 0x626D with the address: 13 bytes, then the rest.
    bench.write("11 08 02 09 41 09 FF 6D 62 01 00 00 EE FF C0", "11 07 00")
    #expect(bench.write("11 87") == ["11 87 02 09 41 09 FF 6D 62 01 00 00 EE FF C0 00"])
    _ = bench.disconnect()
    let advertisement = bench.firmware.advertisement
    #expect(advertisement?.localName == "A")
    #expect(advertisement?.manufacturerData == [0x626D: [1, 0, 0, 0xEE, 0xFF, 0xC0]])
  }

  @Test func `Only old firmware advertises its address by itself`() {
    #expect(
      Bench(.r, connected: false).firmware.advertisement?.manufacturerData == [
        0x626D: [1, 0, 0, 0xEE, 0xFF, 0xC0]
      ])
    #expect(Bench(.s, connected: false).firmware.advertisement?.manufacturerData == [:])
  }

  @Test func `The address comes with its type, least significant byte first`() {
    var bench = Bench(.s)
    #expect(bench.write("11 8B") == ["11 8B 01 01 00 00 EE FF C0"])
  }

  @Test func `The battery falls slowly and its voltage with it`() throws {
    var bench = Bench(.s)
    var last = (percent: 101, millivolts: 5000)
    for _ in 0..<20 {
      let bytes = [UInt8](hex: try #require(bench.write("11 8C").first))
      let now = (percent: Int(bytes[2]), millivolts: Int(bytes[3]) | Int(bytes[4]) << 8)
      #expect(now.percent <= last.percent && now.millivolts <= last.millivolts)
      #expect((3300...4160).contains(now.millivolts) && (1...100).contains(now.percent))
      #expect(bench.firmware.batteryPercent(at: bench.now) == UInt8(now.percent))
      last = now
      _ = bench.advance(by: .seconds(3600))
    }
    #expect(last.percent == 1)
  }

  @Test func `External power is notified to whoever subscribed, and read by whoever asks`() {
    var bench = Bench(.s)
    #expect(bench.firmware.setBattery(percent: 50, at: bench.now) == [.batteryChanged(percent: 50)])
    #expect(bench.write("11 11 01", "11 12 01", "11 91", "11 92") == ["11 91 00", "11 92 00"])
    let plugged = bench.firmware.setExternalPower(true, at: bench.now)
    #expect(plugged.notifications == ["11 11 01", "11 12 01"])
    #expect(bench.write("11 91", "11 92") == ["11 91 01", "11 92 01"])
    #expect(bench.advance(by: .seconds(2 * 3600)) == ["11 12 00"])
    #expect(bench.firmware.setExternalPower(false, at: bench.now).notifications == ["11 11 00", "11 12 00"])
  }

  @Test func `Without the capability bits power status does not exist`() {
    var modules = BoardModel.s.modules
    modules[0x11] = [0, 10, 0, 0]
    let model = BoardModel(
      key: "plain", modelNumber: "8", firmwareRevision: "1.7.3", hardwareRevision: "0.1", modules: modules)
    var bench = Bench(model)
    #expect(bench.write("11 91", "11 92", "11 9C").isEmpty)
    bench.write("11 11 01")
    #expect(bench.firmware.setExternalPower(true, at: bench.now).isEmpty)
  }

  @Test func `Settings are lost in a reset, unless they are assumed to be kept`() {
    for isKept in [false, true] {
      var assumptions = FirmwareAssumptions()
      assumptions.settingsSurviveReset = isKept
      var bench = Bench(.s, assumptions: assumptions)
      bench.write("11 01 41", "11 03 EC", "FE 01")
      _ = bench.run(for: .seconds(3))
      _ = bench.connect()
      #expect(
        bench.write("11 81", "11 83")
          == (isKept ? ["11 81 41", "11 83 EC"] : ["11 81 4D 65 74 61 57 65 61 72", "11 83 00"]))
    }
  }

  @Test func `Regulator and PHY belong to the S`() {
    var s = Bench(.s)
    #expect(s.write("11 1C 01", "11 9C", "11 1D 01", "11 9D") == ["11 9C 01", "11 9D 01"])
    var rl = Bench(.rl)
    #expect(rl.write("11 1C 01", "11 9C", "11 1D 01", "11 9D").isEmpty)
  }

  @Test func `Allow-list entries read back by index`() {
    var bench = Bench(.s)
    #expect(
      bench.write("11 14 01 00 06 05 04 03 02 01", "11 94 01", "11 94 02") == [
        "11 94 01 00 06 05 04 03 02 01"
      ])
  }

  @Test func `Filter mode reads back, and the peer has an address with its type`() {
    var bench = Bench(.s)
    bench.write("11 13 03")
    #expect(bench.write("11 93") == ["11 93 03"])
    #expect(bench.write(bytes: [0x11, 0x95]).packets.first?.count == 9)
  }
}
