/// Rows of text in aligned columns.
struct Table: Sendable {
  /// A column: its title and on which side its text stands.
  struct Column: Sendable {
    var title: String
    var isRight = false

    init(_ title: String, isRight: Bool = false) {
      self.title = title
      self.isRight = isRight
    }
  }

  /// Text and how it looks.
  struct Cell: Hashable, Sendable, ExpressibleByStringLiteral {
    var text: String
    var style: Style?

    init(_ text: String, _ style: Style? = nil) {
      self.text = text
      self.style = style
    }

    init(stringLiteral value: String) { self.init(value) }
  }

  private static let gap = "  "

  var columns: [Column]
  var rows: [[Cell]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// The lines, title first. `width` cuts them, nil leaves them; `isColoured` allows styles.
  func lines(width: Int? = nil, isColoured: Bool = false) -> [String] {
    let titles = columns.map { Cell($0.title, .dim) }
    let widths = columns.indices.map { index in
      ([titles] + rows).map { index < $0.count ? TextWidth.of($0[index].text) : 0 }.max() ?? 0
    }
    return ([titles] + rows).map { row in line(row, widths, width, isColoured) }
  }

  private func line(_ row: [Cell], _ widths: [Int], _ limit: Int?, _ isColoured: Bool) -> String {
    var line = ""
    var left = limit ?? .max
    for (index, column) in columns.enumerated() {
      let cell = index < row.count ? row[index] : Cell("")
      let separator = index == 0 ? "" : Self.gap
      guard left > separator.count else { break }
      left -= separator.count
      let text = TextWidth.cut(cell.text, to: left)
      let padding = String(repeating: " ", count: max(0, min(widths[index], left) - TextWidth.of(text)))
      let styled = isColoured ? cell.style?.apply(to: text) ?? text : text
      line += separator + (column.isRight ? padding + styled : styled + padding)
      left -= TextWidth.of(text) + padding.count
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
