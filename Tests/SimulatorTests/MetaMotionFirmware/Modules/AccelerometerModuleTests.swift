import Testing

@testable import Simulator

struct AccelerometerModuleTests {
  struct Setting: Sendable, CustomTestStringConvertible {
    let model: BoardModel
    let rangeByte: UInt8
    let scale: Double
    var testDescription: String { "\(model.key) ±\(32768 / scale) g" }
  }

  static let settings: [Setting] =
    zip([0x03, 0x05, 0x08, 0x0C] as [UInt8], [16384.0, 8192, 4096, 2048]).flatMap {
      [Setting(model: .rl, rangeByte: $0, scale: $1), Setting(model: .r, rangeByte: $0, scale: $1)]
    }
    + zip([0, 1, 2, 3] as [UInt8], [16384.0, 8192, 4096, 2048]).map {
      Setting(model: .s, rangeByte: $0, scale: $1)
    }

  /// x, y, z in g of each sample in a notification.
  static func samples(_ packet: [UInt8], scale: Double) -> [SIMD3<Double>] {
    stride(from: 2, to: packet.count, by: 6).map { offset in
      func axis(_ index: Int) -> Double {
        let low = UInt16(packet[offset + 2 * index])
        let high = UInt16(packet[offset + 2 * index + 1])
        return Double(Int16(bitPattern: low | high << 8)) / scale
      }
      return [axis(0), axis(1), axis(2)]
    }
  }

  @Test(arguments: settings)
  func `At rest a board feels about 1 g, upwards, in every range`(_ setting: Setting) {
    var bench = Bench(setting.model)
    let odr: UInt8 = setting.model == .s ? 0xA8 : 0x28
    _ = bench.write(bytes: [3, 3, odr, setting.rangeByte])
    bench.write("03 04 01", "03 02 01 00", "03 01 01")
    let effects = bench.run(for: .seconds(2))
    #expect(effects.packets.count == 200)
    for sample in effects.packets.flatMap({ Self.samples($0, scale: setting.scale) }) {
      #expect(abs((sample * sample).sum().squareRoot() - 1) < 0.05)
      #expect(sample.z > 0.9)
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt8>)
  func `Samples come exactly at the configured rate`(_ code: UInt8) {
    var bench = Bench(.s)
    _ = bench.write(bytes: [3, 3, 0xA0 | code, 2])
    bench.write("03 04 01", "03 02 01 00", "03 01 01")
    let period = Duration.nanoseconds(1_280_000_000 >> (Int64(code) - 1))
    for count in 1...20 {
      #expect(bench.firmware.nextEvent == period * count)
      #expect(bench.firmware.advance(to: period * count).packets.count == 1)
    }
  }

  @Test(arguments: [(BoardModel.rl, UInt8(0x1C)), (.s, 0x05)])
  func `Packed data carry three samples in a third of the packets`(_ model: BoardModel, _ register: UInt8) {
    var plain = Bench(model, style: .everyday)
    var packed = Bench(model, style: .everyday)
    plain.write("03 04 01", "03 02 01 00", "03 01 01")
    _ = packed.write(bytes: [3, register, 1])
    packed.write("03 02 01 00", "03 01 01")
    let plainPackets = plain.run(for: .seconds(3)).packets
    let packedPackets = packed.run(for: .seconds(3)).packets
    #expect(plainPackets.count == 300)
    #expect(packedPackets.count == 100)
    #expect(packedPackets.allSatisfy { $0.count == 20 && $0[0] == 3 && $0[1] == register })
    #expect(packedPackets.flatMap { $0[2...] } == plainPackets.flatMap { $0[2...] })
  }

  @Test(arguments: [
    ["03 02 01 00", "03 01 01"], ["03 04 01", "03 01 01"], ["03 04 01", "03 02 01 00"],
    ["03 04 01", "03 02 01 00", "03 01 01", "03 01 00"],
    ["03 04 01", "03 02 01 00", "03 01 01", "03 02 00 01"],
    ["03 04 01", "03 02 01 00", "03 01 01", "03 04 00"],
  ])
  func `Subscription, sampling and power are all needed`(_ packets: [String]) {
    var bench = Bench(.s)
    for packet in packets { bench.write(packet) }
    // Nothing but the battery's next percent wakes the board.
    #expect(bench.firmware.nextEvent ?? .zero > .seconds(10))
    #expect(bench.advance(by: .seconds(1)).isEmpty)
  }

  @Test func `Low power counts as on`() {
    var bench = Bench(.s)
    bench.write("03 03 21 02", "03 04 01", "03 02 01 00", "03 01 02")
    #expect(bench.advance(by: .milliseconds(1280)).count == 1)
  }

  @Test(arguments: ["03 04 01", "03 05 01"])
  func `Downsampling delivers one of so many samples of either sensor, packed or not`(_ subscription: String)
  {
    var bench = Bench(.s)
    // 100 Hz, of which every fourth of the accelerometer and every second of the gyroscope.
    bench.write("03 03 A8 02", subscription, "03 02 01 00", "03 01 01", "03 11 21")
    let packets = bench.run(for: .milliseconds(960)).packets
    #expect(packets.reduce(0) { $0 + ($1.count - 2) / 6 } == 24)
    #expect(bench.write("03 91") == ["03 91 21"])
    bench.write("03 01 00", "13 03 28 00", "13 04 01", "13 02 01 00", "13 01 01")
    #expect(bench.advance(by: .seconds(1)).count == 50)
    bench.write("03 11 00")
    #expect(bench.advance(by: .seconds(1)).count == 100)
  }

  @Test func `A code without a rate yields nothing`() {
    var bench = Bench(.s)
    bench.write("03 03 A0 02", "03 04 01", "03 02 01 00", "03 01 01")
    #expect(bench.advance(by: .seconds(2)).isEmpty)
    #expect(bench.write("03 83") == ["03 83 A0 02"])
  }

  @Test(arguments: [(BoardModel.rl, "03 83 28 03"), (.s, "03 83 A8 02")])
  func `The defaults of each chip`(_ model: BoardModel, _ configuration: String) {
    var bench = Bench(model)
    #expect(bench.write("03 81", "03 82", "03 83") == ["03 81 00", "03 82 00", configuration])
  }

  @Test func `The sampling register is a mask of set and clear bits`() {
    var bench = Bench(.s)
    #expect(bench.write("03 02 01 00", "03 82", "03 02 00 01", "03 82") == ["03 82 01", "03 82 00"])
  }

  @Test func `The early BMI160 has no packed register`() {
    var modules = BoardModel.r.modules
    modules[3] = [1, 0]
    let early = BoardModel(
      key: "early", modelNumber: "5", firmwareRevision: "1.0.0", hardwareRevision: "0.1", modules: modules)
    var bench = Bench(early)
    bench.write("03 1C 01", "03 02 01 00", "03 01 01")
    #expect(bench.advance(by: .seconds(1)).isEmpty)
  }

  @Test func `A loud read of the data register gives the sample that was taken last`() {
    var bench = Bench(.s)
    #expect(bench.write("03 84") == ["03 84 00 00 00 00 00 00"])
    bench.write("03 04 01", "03 02 01 00", "03 01 01")
    let last = bench.run(for: .milliseconds(25)).packets.last
    #expect(bench.write("03 84").first?.dropFirst(5) == last.map(\.hex)?.dropFirst(5))
  }

  @Test func `Feature blocks of the BMI270 have the chip's defaults`() {
    var bench = Bench(.s)
    #expect(
      bench.write("03 88 00", "03 88 01", "03 88 07") == [
        "03 88 00 88 00", "03 88 01 05 E0 AA 38", "03 88 07 00 0E 00 00",
      ])
    #expect(bench.write("03 88 0A", "03 88").isEmpty)
  }
}
