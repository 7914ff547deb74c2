import Testing

@testable import MetaMotion

struct TemperatureTests {
  @Test func `T68 channels are found by the board's list, never by a fixed number`() throws {
    let full = try #require(ModuleInfo.decode(bytes("0480010000030102")).flatMap { Temperature($0) })
    #expect(full.channel(of: .die) == 0)
    #expect(full.channel(of: .thermistor) == 1)
    #expect(full.channel(of: .external) == 2)
    #expect(full.channel(of: .bmp280) == 3)
    let other = try #require(ModuleInfo.decode(bytes("04800100 03 09 00")).flatMap { Temperature($0) })
    #expect(other.sources == [.thermistor, nil, .die])
    #expect(other.channel(of: .die) == 2)
    #expect(other.channel(of: .bmp280) == nil)
  }

  @Test func `the single channel generation is not ours`() throws {
    let info = try #require(ModuleInfo.decode(bytes("04800000")))
    #expect(Temperature(info) == nil)
  }

  @Test(arguments: [
    ("048102acff", -10.5), ("0481000001", 32), ("048100fe00", 31.75), ("04810001ff", -31.875),
  ])
  func `one count is an eighth of a degree`(hex: String, celsius: Double) {
    #expect(Temperature.temperature.values(in: bytes(hex)) == [celsius])
  }

  @Test func `a short answer is none`() {
    #expect(Temperature.temperature.values(in: bytes("04810001")) == nil)
  }

  @Test func `sources have the contracts names`() {
    #expect(Temperature.Source.allCases.map(\.name) == ["die", "external", "bmp280", "thermistor"])
    for source in Temperature.Source.allCases { #expect(Temperature.Source(named: source.name) == source) }
  }
}
