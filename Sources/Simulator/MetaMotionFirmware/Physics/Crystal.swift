/// The crystal that a board counts time by: up to 40 millionths off, as such crystals are.
package struct Crystal: Sendable, Equatable {
  /// As far as such crystals are off, in millionths.
  package static let tolerance = 40.0

  /// How much faster it runs than it should.
  package let partsPerMillion: Double

  package init(partsPerMillion: Double = 0) { self.partsPerMillion = partsPerMillion }

  /// What it counts while `duration` passes.
  func time(after duration: Duration) -> Duration {
    partsPerMillion == 0 ? duration : duration + duration * (partsPerMillion / 1_000_000)
  }
}
