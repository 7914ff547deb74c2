/// Labelled facts in sections: a page about one thing.
struct FactSheet: Sendable {
  /// Facts under one title.
  struct Section: Sendable {
    var title: String
    var facts: [Fact] = []

    /// Adds a fact, unless there is nothing to say.
    mutating func add(_ label: String, _ text: String?, _ style: Style? = nil) {
      if let text, !text.isEmpty { facts.append(Fact(label: label, text: text, style: style)) }
    }
  }

  /// A label and what there is to say.
  struct Fact: Hashable, Sendable {
    var label: String
    var text: String
    var style: Style?
  }

  /// Columns of a page that nobody says the width for.
  static let pipeWidth = 100
  private static let margin = "  "
  private static let gap = "  "
  /// Below so many columns of text, wrapping would do more harm than a line that is cut.
  private static let narrowest = 16

  var sections: [Section] = []

  /// The page in lines of at most `width` columns; labels stand in one column, long texts are wrapped beside it.
  func lines(width: Int, isColoured: Bool) -> [String] {
    let labels = sections.flatMap(\.facts).map { TextWidth.of($0.label) }.max() ?? 0
    let indent = Self.margin.count + labels + Self.gap.count
    var lines: [String] = []
    for section in sections where !section.facts.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines.append(isColoured ? Style.bold.apply(to: section.title) : section.title)
      for fact in section.facts {
        lines += wrapped(fact, labels, max(Self.narrowest, width - indent), isColoured)
      }
    }
    return lines
  }

  private func wrapped(_ fact: Fact, _ labels: Int, _ width: Int, _ isColoured: Bool) -> [String] {
    let label = fact.label + String(repeating: " ", count: max(0, labels - TextWidth.of(fact.label)))
    let blank = String(repeating: " ", count: labels)
    return TextWrap.lines(printable(fact.text), width: width).enumerated().map { index, text in
      let left = index > 0 ? blank : isColoured ? Style.dim.apply(to: label) : label
      let right = isColoured ? fact.style?.apply(to: text) ?? text : text
      return Self.margin + left + Self.gap + right
    }
  }
}
