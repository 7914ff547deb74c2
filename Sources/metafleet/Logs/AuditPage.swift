import FleetModel

/// The audit trail on a narrow terminal: two lines per request, and nothing of it lost but the ends of long names.
struct AuditPage {
  private let width: Int
  private let trail: [(line: AuditLine, row: [Table.Cell])]
  /// Columns of `row`: time, who, target, verb, outcome. Names give way to what tells what came of it.
  private static let names = 1...3
  private static let least = 6
  private static let gaps = 8

  init(width: Int, trail: [(AuditLine, [Table.Cell])]) {
    self.width = width
    self.trail = trail.map { ($0, Self.withShortTime($1)) }
  }

  /// `details` are what the second line has.
  func lines(isColoured: Bool, _ details: (AuditLine) -> String) -> [String] {
    var table = Table(["TIME", "WHO", "TARGET", "VERB", "OUTCOME"].map { .init($0) })
    let limits = limits
    table.rows = trail.map { _, row in
      row.enumerated().map { .init(TextWidth.cut($1.text, to: limits[$0]), $1.style) }
    }
    let lines = table.lines(width: width, isColoured: isColoured)
    return [lines[0]]
      + zip(lines.dropFirst(), trail).flatMap { line, request in
        [line] + Self.wrapped(printable(details(request.line)), width)
      }
  }

  /// How wide each column may be: the widest name gives way first.
  private var limits: [Int] {
    var limits = (0...4).map { column in trail.map { TextWidth.of($0.row[column].text) }.max() ?? 0 }
    while limits.reduce(Self.gaps, +) > width,
      let widest = Self.names.max(by: { limits[$0] < limits[$1] }), limits[widest] > Self.least
    {
      limits[widest] -= 1
    }
    return limits
  }

  /// Month, day and second are enough where there is little room; the year stands in `--json`.
  private static func withShortTime(_ row: [Table.Cell]) -> [Table.Cell] {
    guard let time = row.first, time.text.utf8.count == 24 else { return row }
    let short = time.text.dropFirst(5).dropLast(5).replacing("T", with: " ")
    return [.init(String(short), time.style)] + row.dropFirst()
  }

  /// Arguments are one word of JSON, as long as somebody liked.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    let margin = "    "
    let room = max(Self.least, width - margin.count)
    var lines: [String] = []
    var current = ""
    var used = 0
    for character in text {
      let columns = TextWidth.of(String(character))
      if used + columns > room {
        lines.append(margin + current)
        (current, used) = ("", 0)
      }
      current.append(character)
      used += columns
    }
    return lines + (current.isEmpty ? [] : [margin + current])
  }
}
