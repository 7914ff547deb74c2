/// Rows of text in aligned columns.
struct Table: Sendable {
  /// A column: its title, on which side its text stands, and when it is given up.
  struct Column: Sendable {
    var title: String
    var isRight = false
    /// Where there is no room, the largest goes first; 0 stays.
    var rank = 0
    /// It is at least so wide, so that a table that is drawn again and again stands still.
    var minimum = 0
    /// It is at most so wide: longer texts end in an ellipsis (fault F212).
    var maximum = Int.max
    /// The same where otherwise a column would have to go.
    var narrow = Int.max

    init(
      _ title: String, isRight: Bool = false, rank: Int = 0, minimum: Int = 0, maximum: Int = .max,
      narrow: Int = .max
    ) {
      (self.maximum, self.narrow) = (maximum, narrow)
      self.title = title
      self.isRight = isRight
      self.rank = rank
      self.minimum = minimum
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

  /// The column of names that people, or the air, gave: at most 40 columns wide, 24 where otherwise a column would have
  /// to go.
  static func names(_ title: String) -> Column { Column(title, maximum: 40, narrow: 24) }

  var columns: [Column]
  var rows: [[Cell]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// The table with as many columns as fit: long texts are shortened, then the dispensable columns are left out.
  func fitted(to width: Int) -> Table {
    var table = self
    if table.width > width {
      for index in table.columns.indices {
        table.columns[index].maximum = min(table.columns[index].maximum, table.columns[index].narrow)
      }
    }
    while table.width > width, let last = table.columns.map(\.rank).max(), last > 0,
      let index = table.columns.lastIndex(where: { $0.rank == last })
    {
      table.columns.remove(at: index)
      table.rows = table.rows.map { row in row.enumerated().filter { $0.offset != index }.map(\.element) }
    }
    return table
  }

  /// Columns of a terminal that it takes.
  var width: Int { columnWidths.reduce(0, +) + Self.gap.count * max(0, columns.count - 1) }

  private var columnWidths: [Int] {
    columns.indices.map { index in
      rows.reduce(max(columns[index].minimum, TextWidth.of(columns[index].title))) { widest, row in
        max(widest, index < row.count ? min(TextWidth.of(row[index].text), columns[index].maximum) : 0)
      }
    }
  }

  /// The lines, title first. `width` cuts them, nil leaves them; `isColoured` allows styles.
  func lines(width: Int? = nil, isColoured: Bool = false) -> [String] {
    let titles = columns.map { Cell($0.title, .dim) }
    let widths = columnWidths
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
      let text = TextWidth.cut(cell.text, to: min(left, column.maximum))
      let padding = String(repeating: " ", count: max(0, min(widths[index], left) - TextWidth.of(text)))
      let styled = isColoured ? cell.style?.apply(to: text) ?? text : text
      line += separator + (column.isRight ? padding + styled : styled + padding)
      left -= TextWidth.of(text) + padding.count
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
