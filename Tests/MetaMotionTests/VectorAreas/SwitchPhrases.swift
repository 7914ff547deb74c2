import FleetModel

@testable import MetaMotion

/// The push button.
struct SwitchPhrases: VectorArea {
  private let board: Inventory
  private var isSubscribed = false

  init(on board: Inventory) { self.board = board }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) -> Bool {
    guard let subscription = SubscriptionPhrase(phrase), subscription.signal == "switch state" else {
      return false
    }
    isSubscribed = subscription.isOn
    return stage.write(subscription.command(Switch.state))
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    guard packet.prefix(2) == [0x01, 0x01], isSubscribed else { return nil }
    return try board.hear(packet, streaming: "switch")
  }
}
