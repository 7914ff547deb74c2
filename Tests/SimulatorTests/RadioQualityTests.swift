import FleetModel
import Testing

@testable import Simulator

struct RadioQualityTests {
  /// Shares of a thousand advertisements and attempts that come to nothing.
  private static func losses(_ quality: RadioQuality) -> (missed: Int, refused: Int) {
    var air = Air(seed: 1, conditions: quality.conditions)
    let board = BoardIdentity(number: 1).address
    let missed = (0..<1000).count { _ in air.hear(board) == nil }
    let refused = (0..<1000).count { _ in
      if case .refused = air.attempt(on: board) { true } else { false }
    }
    return (missed, refused)
  }

  @Test func `Each is worse than the one before, in what is heard or in how long it lasts`() {
    #expect(RadioQuality.clear.conditions == Air.Conditions())
    let shares = RadioQuality.allCases.map { Self.losses($0) }
    #expect(shares[0].missed == 0 && shares[0].refused == 0)
    #expect(shares.map(\.missed) == shares.map(\.missed).sorted())
    #expect(shares.map(\.refused) == shares.map(\.refused).sorted())
    #expect(shares[4].missed > 600 && shares[4].refused > 400)
    #expect(Set(RadioQuality.allCases.map(\.meaning)).count == RadioQuality.allCases.count)
  }
}
