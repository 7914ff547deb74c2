/// Whether as many samples of a stream come as should. Pure.
struct StreamRate {
  private var watch: SampleRateMonitor?
  /// How its samples are not as many as they should be.
  private(set) var fault: RateFault?

  /// Begins to compare anew; nothing is compared of streams without a period.
  mutating func restart(counting period: Duration?, ofModule module: String?) {
    watch = period.map {
      SampleRateMonitor(period: $0, tolerance: SampleRateMonitor.tolerance(ofModule: module))
    }
  }

  /// Compares how many samples came with how many should have. Returns what is to be reported of it: `.some(nil)` when
  /// it is over.
  mutating func update(with counts: SampleRateMonitor.Counts, uptime: Duration) -> RateFault?? {
    guard let found = watch?.update(with: counts, uptime: uptime), found?.kind != fault?.kind else {
      return nil
    }
    fault = found
    return .some(found)
  }
}
