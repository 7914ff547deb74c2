import BoardKit
import FleetModel

@testable import MetaMotion

/// Barometer, ambient light and humidity.
struct EnvironmentPhrases: VectorArea {
  private let board: Inventory
  private var pressure = Barometer.Configuration()
  private var light = AmbientLight.Configuration(gain: 1, integration: 100, period: 500)
  private var isLightWanted = false

  init(on board: Inventory) { self.board = board }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/set IIR filter (\d+)/#) {
      pressure.filter = try code(Double(match.1), in: Barometer.Configuration.filters)
      return true
    }
    if let match = phrase.wholeMatch(of: #/set pressure oversampling (.+) x\d+/#) {
      let name = String(match.1.replacing(" ", with: "-"))
      let index = try NotUnderstood.unless(Barometer.Configuration.oversamplings.firstIndex(of: name))
      pressure.oversampling = UInt8(index + 1)
      return true
    }
    if let match = phrase.wholeMatch(of: #/set BMP280 standby (.+) ms/#) {
      pressure.standby = try code(Double(match.1), in: Barometer.Chip.bmp280.standbyTimes)
      return true
    }
    if phrase == "BME280: high oversampling, filter 16, standby 500 ms" {
      pressure = .init(
        oversampling: 4, filter: try code(16, in: Barometer.Configuration.filters),
        standby: try code(500, in: Barometer.Chip.bme280.standbyTimes))
      return stage.write(Barometer(chip: .bme280).configure(pressure))
    }
    if let match = phrase.wholeMatch(of: #/set ambient light gain x(\d+)/#) {
      light.gain = try NotUnderstood.unless(Double(match.1))
      return true
    }
    if let match = phrase.wholeMatch(of: #/set integration time (\d+) ms/#) {
      light.integration = try NotUnderstood.unless(Double(match.1))
      return true
    }
    if let match = phrase.wholeMatch(of: #/set humidity oversampling x(\d+)/#) {
      return stage.write(Humidity.configure(oversampling: try NotUnderstood.unless(Double(match.1))))
    }
    switch phrase {
    case "write barometer config": return stage.write(Barometer(chip: .bmp280).configure(pressure))
    case "write config": return true
    case "start cyclic barometer sampling": return stage.write(Barometer.start)
    case "subscribe to pressure": return stage.write(Barometer.pressure.register.subscribe)
    case "subscribe to altitude": return stage.write(Barometer.altitude.register.subscribe)
    case "write ambient light config": return stage.write(AmbientLight.configure(light))
    case "subscribe to illuminance":
      isLightWanted = true
      return stage.write(AmbientLight.illuminance.register.subscribe)
    case "read relative humidity with a subscriber": return stage.write(Humidity.humidity.register.read())
    default: return false
    }
  }

  private func code(_ value: Double?, in list: [Double]) throws -> UInt8 {
    UInt8(try NotUnderstood.unless(list.firstIndex { $0 == value }))
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0x12, 0x02]: return try board.hear(packet, streaming: "altitude")
    case [0x14, 0x03] where isLightWanted:
      // The vendor's hosts speak of thousandths of a lux.
      return try board.hear(packet, streaming: "illuminance").map {
        if case .value(.number(let lux)) = $0 { .number(lux * 1000) } else { $0 }
      }
    default: return nil
    }
  }
}
