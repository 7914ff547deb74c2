import FleetModel

/// No application is told never to start again (U6).
struct U06NeverForGood: Invariant {
  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    guard case .wrote(let board, [0xFE, 0x08]) = observation else { return nil }
    return "the application of \(board) is made invalid"
  }
}
