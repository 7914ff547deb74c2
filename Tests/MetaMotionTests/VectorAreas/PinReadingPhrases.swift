import BoardKit
import FleetModel

@testable import MetaMotion

/// Reading pins, and being told when they change. Setting them is another area.
struct PinReadingPhrases: VectorArea {
  private let board: Inventory
  private var isSubscribed = false

  init(on board: Inventory) { self.board = board }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/(un)?subscribe (?:to|from) GPIO pin (\d+) (.+)/#) {
      isSubscribed = match.1 == nil
      // Changes are ended pin by pin; what is read has nothing to subscribe to.
      return match.3 == "change monitor" && isSubscribed ? stage.write(Pin.change.register.subscribe) : true
    }
    if let match = phrase.wholeMatch(of: #/read GPIO pin (\d+) (digital|analog \(.+?\))(?: with (.+))?/#) {
      let pin = try pin(match.1)
      let register =
        (match.2 == "digital" ? Pin.digital : match.2.contains("ADC") ? Pin.adc : Pin.voltage).register
      let revision = board.revision(of: .gpio) ?? 0
      let arguments =
        try match.3.map { pin.analogArguments(try preparation(String($0)), revision: revision) }
        ?? [pin.number]
      // The vendor's host reads silently unless somebody subscribed in the same breath.
      return stage.write(isSubscribed ? register.read(arguments) : register.silentRead(arguments))
    }
    if let match = phrase.wholeMatch(of: #/set pin (\d+) change type rising/#) {
      return stage.write(try pin(match.1).count(.rising))
    }
    if let match = phrase.wholeMatch(of: #/set pin (\d+) pull mode (\w+)/#) {
      return stage.write(
        try pin(match.1).pull(NotUnderstood.unless(Pin.Pull(named: String(match.2)))))
    }
    if let match = phrase.wholeMatch(of: #/start monitoring pin (\d+)/#) {
      return stage.write(try pin(match.1).watch(true))
    }
    return false
  }

  private func pin(_ number: Substring) throws -> Pin { Pin(number: try NotUnderstood.unless(UInt8(number))) }

  private func preparation(_ words: String) throws -> Pin.Preparation {
    let match = try NotUnderstood.unless(
      words.wholeMatch(
        of: #/pull-up pin (\d+), pull-down pin (\d+), virtual pin (\d+), delay (\d+) us/#))
    return Pin.Preparation([
      "pull_up_pin": .integer(Int64(match.1) ?? 0), "pull_down_pin": .integer(Int64(match.2) ?? 0),
      "virtual_pin": .integer(Int64(match.3) ?? 0), "delay_us": .integer(Int64(match.4) ?? 0),
    ])
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0x05, 0x87]: return try [.number(NotUnderstood.unless(Pin.adc.values(in: packet)?.first))]
    case [0x05, 0x88]: return try [.number(NotUnderstood.unless(Pin.digital.values(in: packet)?.first))]
    case [0x05, 0x0A]: return try board.hear(packet, streaming: "gpio-\(packet[2])-change")
    default: return nil
    }
  }
}
