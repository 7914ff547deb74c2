import Dialects
import FleetModel

/// The newest value of every stream that is watched, and where it has been.
struct LiveBoard: Sendable {
  private struct Line: Sendable {
    var name: String
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
    var line =
      lines[key]
      ?? Line(
        name: name, values: [], trend: Sparkline(width: Self.trendWidth), time: time)
    line.values = sample.values
    line.time = time
    // A vector has one trend: that of its first component.
    if let value = line.values.first?.value { line.trend.append(value) }
    lines[key] = line
  }

  /// The table as it is drawn.
  func table(now: Timestamp) -> Table {
    var table = Table([
      .init("BOARD"), .init("STREAM"), .init("TREND"), .init("VALUE"), .init("AGE", isRight: true),
    ])
    for (key, line) in lines.sorted(by: { $0.key < $1.key }) {
      let age = now - line.time
      table.rows.append([
        .init(printable(key.name), .bold), .init(printable(key.stream)), .init(line.trend.text),
        .init(Self.text(line.values)), .init(Age.text(of: age), age > .seconds(60) ? .warning : .dim),
      ])
    }
    return table
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
