/// Which samples of one run of a stream are here, by their numbers (fault F230). Pure.
struct SampleCoverage: Hashable, Sendable {
  /// In order, none touching the next.
  private var ranges: [Range<Int>]

  /// `start` is where the run begins; nil where nobody knows, because it began before anybody listened.
  init(from start: Int? = nil) { ranges = start.map { [$0..<$0] } ?? [] }

  /// Takes numbers in; returns those of them that were not here yet.
  mutating func add(_ new: Range<Int>) -> [Range<Int>] {
    if let last = ranges.last, last.upperBound == new.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<new.upperBound
      return new.isEmpty ? [] : [new]
    }
    var fresh: [Range<Int>] = []
    var position = new.lowerBound
    for range in ranges where range.upperBound > position && range.lowerBound < new.upperBound {
      if position < range.lowerBound { fresh.append(position..<range.lowerBound) }
      position = range.upperBound
    }
    if position < new.upperBound { fresh.append(position..<new.upperBound) }
    insert(new)
    return fresh
  }

  private mutating func insert(_ new: Range<Int>) {
    var merged: [Range<Int>] = []
    for range in (ranges + [new]).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  /// How many holes there are.
  var gaps: Int { max(0, ranges.count - 1) }

  /// How many samples lie in them.
  var missing: Int { zip(ranges, ranges.dropFirst()).reduce(0) { $0 + $1.1.lowerBound - $1.0.upperBound } }
}
