import BoardKit
import FleetModel

@testable import MetaMotion

/// Rate, range and samples of the gyroscope.
struct GyroscopePhrases: VectorArea {
  private let board: Inventory
  private let chip: Gyroscope?
  private var rate = 100.0
  private var range = 2000.0
  private var hasComponents = false

  init(on board: Inventory) {
    self.board = board
    chip = Gyroscope(board.modules[.gyroscope])
  }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    let chip = try NotUnderstood.unless(chip)
    if let match = phrase.wholeMatch(of: #/set gyro ODR (\d+) Hz/#) {
      rate = try NotUnderstood.unless(Double(match.1))
      return true
    }
    if let match = phrase.wholeMatch(of: #/(?:set gyro|gyro) range ±?(\d+) dps/#) {
      range = try NotUnderstood.unless(Double(match.1))
      return true
    }
    if let match = phrase.wholeMatch(of: #/gyro ODR (\d+) Hz range (\d+) dps/#) {
      rate = try NotUnderstood.unless(Double(match.1))
      range = try NotUnderstood.unless(Double(match.2))
      return stage.write(chip.configure(try configuration))
    }
    if let subscription = SubscriptionPhrase(phrase) {
      switch subscription.signal {
      case "angular velocity (BMI160) axis z":
        hasComponents = true
        return true
      case "angular velocity (BMI160)": return stage.write(subscription.command(chip.data))
      case "packed angular velocity", "packed angular velocity (3 samples)":
        return stage.write(subscription.command(try NotUnderstood.unless(chip.packedData)))
      default: return false
      }
    }
    switch phrase {
    case "write gyro config": return stage.write(chip.configure(try configuration))
    case "power gyro on": return stage.write(Gyroscope.powerOn)
    case "power gyro off": return stage.write(Gyroscope.powerOff)
    case "disable gyro sampling": return stage.write(Gyroscope.stopSampling)
    case "angular velocity notification", "packed notification": return true
    case "set gyro axis offsets x=0x11 y=0x22 z=0x33":
      return stage.write(Gyroscope.offsets([0x11, 0x22, 0x33], switches: nil))
    default: return false
    }
  }

  private var configuration: Gyroscope.Configuration {
    get throws { try NotUnderstood.unless(Gyroscope.Configuration(rateHz: rate, rangeDPS: range)) }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    guard packet.first == Module.gyroscope.rawValue, let chip else { return nil }
    let isPacked = packet[1] == chip.packedData?.number
    let keys: JSONObject = ["range_dps": .number(range), "packed": isPacked ? "on" : "off"]
    guard hasComponents else { return try board.hear(packet, streaming: "angular-velocity", keys) }
    // One packet yields its components as values of their own.
    return try ["x", "y", "z"].flatMap {
      try board.hear(packet, streaming: "angular-velocity-\($0)", keys)
    }
  }
}
