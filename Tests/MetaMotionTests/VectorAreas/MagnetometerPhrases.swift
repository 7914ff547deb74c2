import BoardKit
import FleetModel

@testable import MetaMotion

/// Presets and samples of the magnetometer.
struct MagnetometerPhrases: VectorArea {
  private let board: Inventory
  private let chip: Magnetometer?
  private var components: [String] = []

  init(on board: Inventory) {
    self.board = board
    chip = Magnetometer(board.modules[.magnetometer])
  }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/apply magnetometer preset (.+)/#) {
      let name = String(match.1.replacing(" ", with: "-"))
      let preset = try NotUnderstood.unless(Magnetometer.Configuration.presets[name])
      for case .write(let packet) in try NotUnderstood.unless(chip).prepare(preset) {
        stage.writes.append(packet)
      }
      return true
    }
    if let subscription = SubscriptionPhrase(phrase) {
      switch subscription.signal {
      case "magnetic field": return stage.write(subscription.command(Magnetometer.data))
      case "magnetic field axis x":
        components = ["x"]
        return stage.write(subscription.command(Magnetometer.data))
      case "magnetic field axis z":
        components = ["x", "y", "z"]
        return true
      case "packed magnetic field (3 samples)":
        return stage.write(subscription.command(try NotUnderstood.unless(chip?.packedData)))
      default: return false
      }
    }
    switch phrase {
    case "power magnetometer on": return stage.write(Magnetometer.powerOn)
    case "put magnetometer to sleep": return stage.write(Magnetometer.sleep)
    default: return false
    }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    guard packet.prefix(2) == [0x15, 0x05] else { return nil }
    let streams = components.isEmpty ? ["magnetic-field"] : components.map { "magnetic-field-\($0)" }
    return try streams.flatMap { try board.hear(packet, streaming: $0, ["packed": "off"]) }
  }
}
