/// The invariants that a seeded run is held against.
enum Invariants {
  static func all(boards: Int, rate: Double) -> [any Invariant] {
    [
      I05AtMostOnce()
    ]
  }
}
