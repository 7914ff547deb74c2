import BoardKit
import FleetModel

@testable import MetaMotion

/// The board's name and address.
struct SettingsPhrases: VectorArea {
  init(on board: Inventory) {}

  func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/set device name "(.+)"/#) {
      return stage.write(try NotUnderstood.unless(AdvertisedName(String(match.1))).command)
    }
    if let subscription = SubscriptionPhrase(phrase) { return subscription.signal == "MAC address" }
    switch phrase {
    case "read device name": return stage.write(AdvertisedName.register.read())
    case "MAC read reply without address type": return stage.write(HardwareAddress.register.read())
    default: return false
    }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0x11, 0x81]: try [.value(.string(NotUnderstood.unless(AdvertisedName(reply: packet)).text))]
    case [0x11, 0x8B]:
      try [.value(.string(NotUnderstood.unless(HardwareAddress(packet)).address.colonSeparated))]
    default: nil
    }
  }
}
