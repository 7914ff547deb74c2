import FleetModel

@testable import MetaMotion

/// The push button.
struct SwitchPhrases: VectorArea {
  private let accelerometer: Accelerometer?
  private var isSubscribed = false

  init(on board: Inventory) { accelerometer = board.accelerometer }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) -> Bool {
    guard let subscription = SubscriptionPhrase(phrase), subscription.signal == "switch state" else {
      return false
    }
    isSubscribed = subscription.isOn
    return stage.write(subscription.command(Switch.state))
  }

  func hear(_ packet: [UInt8]) -> [Heard]? {
    guard packet.prefix(2) == [0x01, 0x01] else { return nil }
    var decoder = PacketDecoder(accelerometer: accelerometer)
    decoder.switchStream = isSubscribed ? StreamKey(0) : nil
    return Heard.samples(packet, by: decoder)
  }
}
