import FleetModel
import Logging
import Testing

@testable import metafleet

@Suite struct RepeatedLinesTests {
  private static func line(
    _ message: String = "refused", _ number: Int = 0, level: Logger.Level = .error
  ) -> LogLine {
    LogLine(
      level: level, message: message, fields: [.init(name: "topic", value: "t\(number)")],
      time: Timestamp(milliseconds: Int64(number)))
  }

  /// The number in each line's field, and how many more it stands for.
  private static func shown(_ lines: [LogLine]) -> [String] {
    lines.map { $0.fields[0].value + ($0.more > 0 ? "+\($0.more)" : "") }
  }

  @Test
  func `F217 of what repeats three lines come at once, and the last with a count when the minute is over`() {
    var repeated = RepeatedLines()
    let lines = (0..<44).flatMap { repeated.take(Self.line("refused", $0), at: .milliseconds($0)) }
    #expect(Self.shown(lines) == ["t0", "t1", "t2"])
    #expect(repeated.next == .seconds(60) && repeated.due(at: .milliseconds(59_999)) == [])
    #expect(Self.shown(repeated.due(at: .seconds(60))) == ["t43+41"])
    #expect(repeated.next == nil)
  }

  @Test func `F217 what goes on has one line a minute, whatever its fields say`() {
    var repeated = RepeatedLines()
    var lines: [LogLine] = []
    for second in 0..<3_600 { lines += repeated.take(Self.line("refused", second), at: .seconds(second)) }
    lines += repeated.finish()
    #expect(lines.count == 3 + 60)
    #expect(lines.reduce(0) { $0 + max(1, $1.more) } == 3_600)
  }

  @Test func `F217 after a quiet minute the first lines come at once again`() {
    var repeated = RepeatedLines()
    for number in 0..<10 { _ = repeated.take(Self.line("refused", number), at: .zero) }
    #expect(Self.shown(repeated.take(Self.line("refused", 10), at: .seconds(61))) == ["t9+7"])
    #expect(Self.shown(repeated.take(Self.line("refused", 11), at: .seconds(122))) == ["t10+1"])
    #expect(Self.shown(repeated.take(Self.line("refused", 12), at: .seconds(300))) == ["t11+1"])
    #expect(Self.shown(repeated.due(at: .seconds(360))) == ["t12+1"])
    #expect(repeated.due(at: .seconds(420)) == [])
    #expect(Self.shown(repeated.take(Self.line("refused", 13), at: .seconds(421))) == ["t13"])
  }

  @Test func `another cause is another line, and debug lines are left alone`() {
    var repeated = RepeatedLines()
    let lines = (0..<9).flatMap { number in
      repeated.take(Self.line("cause \(number % 3)", number), at: .zero)
        + repeated.take(Self.line("debug", number, level: .debug), at: .zero)
    }
    #expect(lines.count == 18)
    #expect(repeated.take(Self.line("cause 0", level: .warning), at: .zero).count == 1)
  }

  @Test func `F217 so many causes at most are remembered, and none is lost`() {
    var repeated = RepeatedLines()
    var count = 0
    for number in 0..<RepeatedLines.mostCauses * 2 {
      for _ in 0..<5 {
        count += repeated.take(Self.line("cause \(number)"), at: .milliseconds(number)).map {
          max(1, $0.more)
        }
        .reduce(0, +)
      }
    }
    count += repeated.finish().map(\.more).reduce(0, +)
    #expect(count == RepeatedLines.mostCauses * 2 * 5)
  }
}
