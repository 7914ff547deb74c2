import BoardKit
import FleetModel

@testable import MetaMotion

/// Rate, range and samples of the accelerometer.
struct AccelerationPhrases: VectorArea {
  private let board: Inventory
  private var chip: Accelerometer? { board.accelerometer }
  private var configuration: AccelerationConfiguration
  private var isPacked = false

  init(on board: Inventory) {
    self.board = board
    // What the chips start with: 100 Hz, 2 g on the BMI160 and 8 g on the BMI270.
    configuration = AccelerationConfiguration(
      rate: AccelerationRate(index: 7), range: board.accelerometer?.chip == .bmi270 ? .g8 : .g2)
  }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/set accel ODR (.+) Hz/#) {
      configuration.rate = try rate(Double(match.1), nearest: false)
      return true
    }
    if let match = phrase.wholeMatch(of: #/request accel ODR nearest (.+) Hz/#) {
      configuration.rate = try rate(Double(match.1), nearest: true)
      return stage.find("applied_odr_hz", .number(configuration.rate.hertz))
    }
    if let match = phrase.wholeMatch(of: #/set accel range ±(\d+) g/#) {
      configuration.range = try range(Double(match.1), nearest: false)
      return true
    }
    if let match = phrase.wholeMatch(of: #/request accel range nearest (.+) g/#) {
      configuration.range = try range(Double(match.1), nearest: true)
      return stage.find("applied_range_g", .number(Double(configuration.range.rawValue)))
    }
    let accelerometer = try NotUnderstood.unless(chip)
    if let subscription = SubscriptionPhrase(phrase) {
      switch subscription.signal {
      case "acceleration": return stage.write(subscription.command(Accelerometer.data))
      case "packed acceleration (3 samples)":
        isPacked = true
        return stage.write(subscription.command(try NotUnderstood.unless(accelerometer.packedData)))
      default: return false
      }
    }
    switch phrase {
    case "write accel config": return stage.write(accelerometer.configure(configuration))
    case "enable acceleration sampling": return stage.write(Accelerometer.startSampling)
    case "disable acceleration sampling": return stage.write(Accelerometer.stopSampling)
    default: return false
    }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    let register = isPacked ? chip?.packedData : Accelerometer.data
    guard let register, PacketDecoder.header(of: packet.span.bytes) == register.notificationHeader else {
      return nil
    }
    return try board.hear(
      packet, streaming: "acceleration",
      ["range_g": .integer(Int64(configuration.range.rawValue)), "packed": isPacked ? "on" : "off"])
  }

  private func rate(_ hertz: Double?, nearest: Bool) throws -> AccelerationRate {
    let chosen = try choose("rate_hz", hertz, nearest)
    return try NotUnderstood.unless(AccelerationConfiguration(rateHz: chosen, rangeG: 2)).rate
  }

  private func range(_ g: Double?, nearest: Bool) throws -> AccelerationRange {
    let chosen = try choose("range_g", g, nearest)
    return try NotUnderstood.unless(AccelerationConfiguration(rateHz: 50, rangeG: chosen)).range
  }

  /// The product's own rule for values off the list.
  private func choose(_ key: String, _ value: Double?, _ nearest: Bool) throws -> Double {
    let definition = try NotUnderstood.unless(StreamCatalogue.find("acceleration")).stream
    let given = JSONValue.number(try NotUnderstood.unless(value))
    let valid = try definition.configure([key: given], acceptNearest: nearest)
    return try NotUnderstood.unless(valid.values[key]?.number)
  }
}
