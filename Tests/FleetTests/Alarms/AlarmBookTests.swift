import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct AlarmBookTests {
  private static let low = Alarm.ID(.batteryLow, .board(.number(0)))

  private static func battery(_ percent: Int?, at seconds: Int64) -> AlarmFindings {
    AlarmRule.findings(.example(at: seconds * 1_000) { $0.state.battery.percent = percent })
  }

  /// Takes readings of a battery, each with the seconds at which it came.
  private static func play(_ readings: [(Int64, Int?)], into book: inout AlarmBook) -> [Bool] {
    readings.map { seconds, percent in
      book.take(battery(percent, at: seconds), at: .at(seconds * 1_000), uptime: .seconds(seconds))
      return book.alarms.contains { $0.id == low }
    }
  }

  @Test func `an alarm stands once it was so for long enough, since it began to be so`() {
    var book = AlarmBook()
    #expect(Self.play([(0, 20), (599, 20), (600, 19)], into: &book) == [false, false, true])
    let alarm = book.alarms.first
    #expect(alarm?.since == .at(0) && alarm?.sentence.contains("19 %") == true && alarm?.name == "Board 0")
  }

  @Test func `what passes before is none, and begins anew`() {
    var book = AlarmBook()
    #expect(Self.play([(0, 20), (500, 80), (510, 20), (700, 20)], into: &book).allSatisfy { !$0 })
    #expect(Self.play([(1_110, 20)], into: &book) == [true])
  }

  @Test func `F178 a value that swings around where an alarm begins is one alarm`() {
    var book = AlarmBook()
    _ = Self.play([(0, 20), (600, 20)], into: &book)
    let swings = (0..<200).map { (600 + Int64($0) * 30, $0 % 2 == 0 ? 24 : 19) as (Int64, Int?) }
    #expect(Self.play(swings, into: &book).allSatisfy { $0 })
    #expect(book.alarms.first?.since == .at(0))
  }

  @Test func `F178 what comes and goes within a minute is one alarm, and one that is over for longer ends`() {
    var book = AlarmBook()
    _ = Self.play([(0, 20), (600, 20)], into: &book)
    #expect(
      Self.play([(610, 90), (640, 20), (650, 90), (709, 90)], into: &book) == [true, true, true, true])
    #expect(book.alarms.first?.since == .at(0))
    #expect(Self.play([(710, 90)], into: &book) == [false])
  }

  @Test func `F179 a restart keeps since when, and who has seen it, while nobody has read the value yet`()
    throws
  {
    var book = AlarmBook()
    _ = Self.play([(0, 20), (600, 20)], into: &book)
    let answer = book.acknowledge(.init(alarm: Self.low), by: "anna", at: .at(700_000))
    #expect(answer.named == [Self.low] && answer.new == [Self.low])
    var next = AlarmBook()
    next.restore(book.unsaved.rows)
    let unknown = (0..<20).map { (1_000 + Int64($0) * 30, nil as Int?) }
    #expect(Self.play(unknown, into: &next).allSatisfy { $0 })
    _ = Self.play([(2_000, 18)], into: &next)
    let alarm = try #require(next.alarms.first)
    #expect(alarm.since == .at(0) && alarm.acknowledgement == .init(at: .at(700_000), by: "anna"))
    #expect(next.unsaved.rows.isEmpty && next.unsaved.gone.isEmpty)
  }

  @Test func `F179 an acknowledgement ends with its alarm`() {
    var book = AlarmBook()
    _ = Self.play([(0, 20), (600, 20)], into: &book)
    _ = book.acknowledge(.init(code: .batteryLow), by: nil, at: .at(1))
    _ = Self.play([(700, 90), (760, 90), (800, 20), (1_400, 20)], into: &book)
    #expect(book.alarms.map(\.acknowledgement) == [nil] && book.alarms.first?.since == .at(800_000))
    let again = book.acknowledge(.init(board: .number(0)), by: "b", at: .at(2))
    #expect(again.new == [Self.low])
    book.withdraw(again.new)
    #expect(book.alarms.map(\.acknowledgement) == [nil])
  }

  @Test func `F179 a gateway that just started lacks boards, and their alarms wait a minute`() {
    var book = AlarmBook()
    book.restore([KeptAlarm(id: Self.low.description, since: .at(0), sentence: "x")])
    let nobody = AlarmRule.findings(.example(boards: 0))
    book.take(nobody, at: .at(1), uptime: .seconds(1))
    #expect(book.alarms.count == 1)
    _ = Self.play([(30, 18)], into: &book)
    #expect(book.alarms.first?.since == .at(0))
    // From then on one that is gone, or in maintenance, is gone.
    book.take(nobody, at: .at(40_000), uptime: .seconds(40))
    #expect(book.alarms.isEmpty && book.unsaved.gone == [Self.low])
  }

  @Test func `F179 acknowledgements are written, and what the disk has is not written again`() {
    var book = AlarmBook()
    book.restore([KeptAlarm(id: "of another version", since: .at(0), sentence: "x")])
    #expect(book.alarms.isEmpty)
    _ = Self.play([(0, 20), (600, 20)], into: &book)
    let (rows, gone) = book.unsaved
    #expect(rows.map(\.id) == [Self.low.description] && gone.isEmpty)
    book.wrote(rows, gone: gone)
    #expect(book.unsaved.rows.isEmpty)
    _ = Self.play([(630, 18)], into: &book)
    #expect(book.unsaved.rows.isEmpty, "another sentence is not worth a write")
    _ = book.acknowledge(.init(alarm: Self.low), by: nil, at: .at(640_000))
    #expect(book.unsaved.rows.map(\.acknowledged) == [.at(640_000)])
  }

  @Test func `since when is worked out anew once the clock is set`() {
    var book = AlarmBook()
    let unset = Timestamp(milliseconds: 60_000)
    let found = Self.battery(20, at: 0)
    book.take(found, at: unset, uptime: .zero)
    book.take(found, at: unset + .seconds(600), uptime: .seconds(600))
    #expect(book.alarms.first?.since == unset)
    book.take(found, at: .at(0), uptime: .seconds(630))
    #expect(book.alarms.first?.since == .at(-630_000))
  }
}
