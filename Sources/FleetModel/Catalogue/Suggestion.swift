/// Finds the word somebody probably meant.
package enum Suggestion {
  /// The candidate with the fewest edits, at most a third of the word's length; nil when none is near. A missing
  /// end counts as one edit, because units are what people forget (`range` for `range_g`), and so does one too many
  /// (`hostname` for `host`).
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().unicodeScalars.prefix(64))
    let ranked = candidates.map { candidate in
      let other = Array(candidate.lowercased().unicodeScalars.prefix(64))
      let isBeginning =
        letters.count >= 3 && other.starts(with: letters) || other.count >= 3 && letters.starts(with: other)
      return (candidate, isBeginning ? 1 : edits(letters, other))
    }
    guard let best = ranked.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return nil }
    return best.1 <= max(1, letters.count / 3) ? best.0 : nil
  }

  /// What to write instead of `word`: the nearest of the names, else all of them.
  package static func advice(for word: String, among names: some Sequence<String>) -> String {
    let names = Array(names)
    if let near = nearest(to: word, in: names) { return "did you mean \(near)?" }
    return names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
  }

  /// That there is no such `kind` of thing, shown short and printable, and what to write instead.
  package static func missing(_ kind: String, _ word: String, among names: some Sequence<String>) -> String {
    let shown = String(String.UnicodeScalarView(word.unicodeScalars.prefix(40)))
    return "there is no \(kind) \(PrintableText.quoted(shown)); \(advice(for: word, among: names))"
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
