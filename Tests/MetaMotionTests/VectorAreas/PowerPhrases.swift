import BoardKit
import FleetModel

@testable import MetaMotion

/// The battery, external power and charging.
struct PowerPhrases: VectorArea {
  private let board: Inventory
  private var register = PowerSupply.powerStatus.register
  private var hasComponents = false

  init(on board: Inventory) { self.board = board }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) -> Bool {
    if let subscription = SubscriptionPhrase(phrase) {
      switch subscription.signal {
      case "power status": register = PowerSupply.powerStatus.register
      case "charge status": register = PowerSupply.chargeStatus.register
      case "battery state": return true
      case "battery component 1 (charge)":
        hasComponents = true
        return true
      default: return false
      }
      return stage.write(subscription.command(register))
    }
    switch phrase {
    case "read battery state": return stage.write(Battery.state.register.read())
    case "read power status": return stage.write(PowerSupply.powerStatus.register.read())
    case "read charge status with a subscriber": return stage.write(PowerSupply.chargeStatus.register.read())
    case "charge status read reply": return true
    default: return false
    }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0x11, 0x8C]:
      let battery = try NotUnderstood.unless(Battery(packet))
      let charge = JSONValue.integer(Int64(battery.percent))
      let voltage = JSONValue.integer(Int64(battery.millivolts))
      // One packet yields its components as values of their own.
      if hasComponents { return [.value(voltage), .value(charge)] }
      return [.value(["charge": charge, "voltage": voltage])]
    case [0x11, 0x91], [0x11, 0x92]:
      return [.number(try NotUnderstood.unless(PowerSupply.powerStatus.values(in: packet)?.first))]
    case [0x11, register.number]:
      return try board.hear(
        packet, streaming: register == PowerSupply.powerStatus.register ? "power-status" : "charge-status")
    default: return nil
    }
  }
}
