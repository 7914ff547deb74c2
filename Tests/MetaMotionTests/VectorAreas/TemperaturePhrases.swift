import FleetModel

@testable import MetaMotion

/// The temperature channels.
struct TemperaturePhrases: VectorArea {
  private let sources: [Temperature.Source?]
  private var isSubscribed = false

  init(on board: Inventory) { sources = board.temperature?.sources ?? [] }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if phrase.wholeMatch(of: #/subscribe to temperature channel \d/#) != nil {
      isSubscribed = true
      return true
    }
    if let match = phrase.wholeMatch(of: #/get temperature source of channel (\d)/#) {
      let source = sources[Int(match.1) ?? 0]
      let word =
        source == .thermistor ? "preset thermistor" : source == .external ? "external thermistor" : "?"
      return stage.find("temperature_sources", [.string(word)])
    }
    if let match = phrase.wholeMatch(of: #/read temperature channel (\d)/#) {
      // The vendor's host reads silently unless somebody subscribed in the same breath.
      let channel = UInt8(match.1) ?? 0
      return stage.write(
        isSubscribed
          ? Temperature.temperature.register.read(channel)
          : Temperature.temperature.register.silentRead(channel))
    }
    switch phrase {
    case "get number of temperature channels":
      return stage.find("num_channels", .integer(Int64(sources.count)))
    case "configure external thermistor on channel 2: data pin 0, pull-down pin 1, active high 0":
      let thermistor = Temperature.Thermistor(dataPin: 0, pulldownPin: 1, isActiveHigh: false)
      return stage.write(Temperature.configure(thermistor, channel: 2))
    default: return false
    }
  }

  func hear(_ packet: [UInt8]) throws -> [Heard]? {
    guard packet.prefix(2) == [0x04, 0x81] else { return nil }
    return try [.number(NotUnderstood.unless(Temperature.temperature.values(in: packet)?.first))]
  }
}
