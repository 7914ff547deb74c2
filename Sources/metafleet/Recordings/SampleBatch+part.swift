import FleetModel

extension SampleBatch {
  /// The samples at these places.
  func part(_ places: Range<Int>) -> SampleBatch {
    guard places != times.indices else { return self }
    var part = self
    part.sequence += places.lowerBound
    if places.lowerBound > 0 { part.gapBefore = 0 }
    part.times = Array(times[places])
    part.values = Array(values[places.lowerBound * fields.count..<places.upperBound * fields.count])
    return part
  }
}
