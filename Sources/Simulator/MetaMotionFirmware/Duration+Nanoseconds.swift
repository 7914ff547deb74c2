extension Duration {
  /// Whole nanoseconds: sample grids and log ticks are computed on integers so that they never drift.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }

  /// For the physics, where a rounded value will do.
  var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
