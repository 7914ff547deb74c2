import FleetModel

@testable import MetaMotion

/// The LED's patterns and their playback.
struct LEDPhrases: VectorArea {
  private let revision: UInt8
  private var pulse = LEDPattern.solid.pulse

  init(on board: Inventory) { revision = board.revision(of: .led) ?? 0 }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/load LED preset (\w+) \(delay (\d+) ms, repeat (\d+)\)/#) {
      pulse = (LEDPattern(rawValue: match.1 == "pulse" ? "breathe" : String(match.1)) ?? .flash).pulse
      pulse.delay = UInt16(match.2) ?? 0
      pulse.repetitions = UInt8(match.3) ?? 0
      return true
    }
    if let match = phrase.wholeMatch(of: #/program LED (\w+): high (\d+), low (\d+), .+, repeat (.+)/#) {
      let channel = try NotUnderstood.unless(LEDChannel(rawValue: String(match.1)))
      (pulse.high, pulse.low) = (UInt8(match.2) ?? 0, UInt8(match.3) ?? 0)
      pulse.repetitions = match.4 == "forever" ? 0 : UInt8(match.4) ?? 0
      return stage.write(LED.program(channel, pulse, revision: revision))
    }
    switch phrase {
    case "LED pause": return stage.write(LED.pause)
    case "LED stop and clear": return stage.write(LED.stopAndClear)
    case "LED play": return stage.write(LED.play)
    default: return false
    }
  }
}
