/// Finds the word somebody probably meant.
package enum Suggestion {
  /// The candidate with the fewest edits, at most a third of the word's length; nil when none is near. A missing
  /// end counts as one edit, because units are what people forget (`range` for `range_g`).
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().unicodeScalars.prefix(64))
    let ranked = candidates.map { candidate in
      let other = Array(candidate.lowercased().unicodeScalars.prefix(64))
      let isBeginning = letters.count >= 3 && other.starts(with: letters)
      return (candidate, isBeginning ? 1 : edits(letters, other))
    }
    guard let best = ranked.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
    return best.1 <= max(1, letters.count / 3) ? best.0 : nil
  }

  /// Edits from one word to the other: insertions, deletions, replacements and swapped neighbours.
  package static func edits(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var above = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = above[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(replaced, above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      before = above
      above = current
    }
    return above[right.count]
  }
}
