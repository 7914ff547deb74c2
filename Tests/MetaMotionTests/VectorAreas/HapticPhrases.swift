import FleetModel

@testable import MetaMotion

/// The motor and the buzzer.
struct HapticPhrases: VectorArea {
  init(on board: Inventory) {}

  func perform(_ phrase: String, on stage: inout VectorStage) -> Bool {
    if let match = phrase.wholeMatch(of: #/run motor at (.+) % for (\d+) ms/#) {
      return stage.write(
        Haptic.motor(percent: Double(match.1) ?? 0, milliseconds: UInt16(match.2) ?? 0))
    }
    guard let match = phrase.wholeMatch(of: #/run buzzer for (\d+) ms/#) else { return false }
    return stage.write(Haptic.buzzer(milliseconds: UInt16(match.1) ?? 0))
  }
}
