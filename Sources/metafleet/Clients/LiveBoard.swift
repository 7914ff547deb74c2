import Dialects
import FleetModel

/// The newest value of every stream that is watched, and where it has been.
struct LiveBoard: Sendable {
  /// In which order streams are listed.
  enum Order: Character, Sendable, CaseIterable {
    case name = "n"
    case stream = "s"
    /// The longest silent first.
    case age = "a"

    var word: String { "\(self)" }
  }

  private struct Line: Sendable {
    var values: [(key: String, value: Double)]
    var trend: Sparkline
    var time: Timestamp
  }

  private struct Key: Hashable, Comparable {
    var name: String
    var board: String
    var stream: String

    static func < (left: Key, right: Key) -> Bool {
      left.name == right.name
        ? (left.board, left.stream) < (right.board, right.stream)
        : NaturalOrder.isBefore(left.name, right.name)
    }
  }

  private static let trendWidth = 24

  private var lines: [Key: Line] = [:]

  /// Takes a live sample in; `name` is what people call the board.
  mutating func received(_ sample: LiveSampleDocument, name: String) {
    guard let board = sample[.boardWord], let stream = sample[.stream], let time = sample[.time] else {
      return
    }
    let key = Key(name: name, board: board, stream: stream)
    var line = lines[key] ?? Line(values: [], trend: Sparkline(width: Self.trendWidth), time: time)
    line.values = sample.values
    line.time = time
    // A vector has one trend: that of its first component.
    if let value = line.values.first?.value { line.trend.append(value) }
    lines[key] = line
  }

  /// The table as it is drawn, of the streams in whose names or boards `text` stands. TREND names its field and
  /// draws `bars` of its last values; VALUE is rounded to what is read at a glance.
  func table(
    now: Timestamp, by order: Order = .name, isReversed: Bool = false, with text: String = "",
    bars: Int = LiveBoard.trendWidth
  ) -> Table {
    var table = Table([
      Table.names("BOARD"), .init("STREAM", maximum: 40, narrow: 20), .init("AGE", isRight: true, minimum: 3),
      .init("VALUE"), .init("TREND", rank: 1),
    ])
    let wanted = text.lowercased()
    let listed = lines.filter { key, _ in
      wanted.isEmpty || key.name.lowercased().contains(wanted) || key.stream.lowercased().contains(wanted)
    }
    let sorted = listed.sorted { Self.isBefore($0, $1, by: order) }
    for (key, line) in isReversed ? sorted.reversed() : sorted {
      let age = now - line.time
      let trend = line.values.first.map { "\(printable($0.key)) \(line.trend.text.suffix(bars))" }
      table.rows.append([
        .init(printable(key.name), .bold), .init(printable(key.stream)),
        .init(Age.text(of: age), age > .seconds(60) ? .warning : .dim),
        .init(Self.text(line.values.map { ($0.key, Self.rounded($0.value)) })), .init(trend ?? ""),
      ])
    }
    return table
  }

  /// The same for a terminal of so many columns: as many bars as fit, at least six.
  func table(
    fitting width: Int, now: Timestamp, by order: Order, isReversed: Bool, with text: String
  ) -> Table {
    for bars in [Self.trendWidth, 16, 12, 8, 6] {
      let table = table(now: now, by: order, isReversed: isReversed, with: text, bars: bars)
      if table.width <= width || bars == 6 { return table.fitted(to: width) }
    }
    return table(now: now)
  }

  private static func isBefore(
    _ left: (key: Key, value: Line), _ right: (key: Key, value: Line), by order: Order
  ) -> Bool {
    switch order {
    case .stream where left.key.stream != right.key.stream: left.key.stream < right.key.stream
    case .age where left.value.time != right.value.time: left.value.time < right.value.time
    default: left.key < right.key
    }
  }

  /// Four digits, and at most three behind the point.
  static func rounded(_ value: Double) -> Double {
    let scale: Double =
      switch abs(value) {
      case ..<10: 1_000
      case ..<100: 100
      case ..<1_000: 10
      default: 1
      }
    return (value * scale).rounded() / scale
  }

  /// One line per sample, for a pipe: time, board, stream, values.
  static func line(of sample: LiveSampleDocument, name: String) -> String? {
    guard let stream = sample[.stream], let time = sample[.time] else { return nil }
    return printable(
      "\(ClockText.utc(time)) \(quotedIfBlank(name)) \(stream) \(text(sample.values))"
    )
  }

  private static func text(_ values: [(key: String, value: Double)]) -> String {
    values.map { "\(printable($0.key))=\(ParameterType.plain($0.value))" }.joined(separator: " ")
  }

  private static func quotedIfBlank(_ name: String) -> String { name.contains(" ") ? "\"\(name)\"" : name }
}
