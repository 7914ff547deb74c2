import FleetModel

@testable import MetaMotion

/// The board as an iBeacon.
struct BeaconPhrases: VectorArea {
  init(on board: Inventory) {}

  func perform(_ phrase: String, on stage: inout VectorStage) -> Bool {
    if phrase == "disable iBeacon" { return stage.write(IBeacon.enable(false)) }
    if let match = phrase.wholeMatch(of: #/set iBeacon period (\d+) ms|set period (\d+) ms/#) {
      return stage.write(IBeacon.setPeriod(milliseconds: UInt16(match.1 ?? match.2 ?? "") ?? 0))
    }
    if let match = phrase.wholeMatch(of: #/set rx power (-\d+) dBm/#) {
      return stage.write(IBeacon.setReceivedPower(Int8(match.1) ?? 0))
    }
    if let match = phrase.wholeMatch(of: #/set tx power (-\d+) dBm/#) {
      return stage.write(IBeacon.setTransmittedPower(Int8(match.1) ?? 0))
    }
    if let match = phrase.wholeMatch(of: #/set UUID given least-significant byte first: (.+)/#) {
      return stage.write(IBeacon.setUUID(bytes(String(match.1)).reversed()))
    }
    if let match = phrase.wholeMatch(of: #/set major (\d+)/#) {
      return stage.write(IBeacon.setMajor(UInt16(match.1) ?? 0))
    }
    return false
  }
}
