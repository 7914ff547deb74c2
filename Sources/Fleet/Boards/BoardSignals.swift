import FleetModel

/// How strong a board's last advertisements were for each adapter that received any. Pure.
struct BoardSignals: Sendable {
  private var readings: [AdapterID: RSSIReading] = [:]

  mutating func advertised(by adapter: AdapterID, _ reading: RSSIReading) { readings[adapter] = reading }

  /// What `holder` received, while it holds the board: what others receive says nothing of its link. Without a holder,
  /// what the adapter received that receives the board best at present; where none did lately, what was received last.
  func reading(heldBy holder: AdapterID?, at now: Duration) -> RSSIReading? {
    if let holder { return readings[holder] }
    let fresh = readings.values.filter { now - $0.at <= HeardBoard.freshness }
    return fresh.max { $0.strength < $1.strength } ?? readings.values.max { $0.at < $1.at }
  }
}
