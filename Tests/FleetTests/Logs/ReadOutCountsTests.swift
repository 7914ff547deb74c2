import BoardKit
import FleetModel
import Storage
import Testing

@testable import Fleet

/// What is counted while a log is read out.
@Suite struct ReadOutCountsTests {
  private func tally(slots: [Int] = [0], streams: Int = 1) -> ReadOutCounts {
    let format = LogFormat(
      entrySize: 4, timing: BoardTiming(nanoseconds: 1, perTicks: 1, resetIDs: 8), clock: { _, _ in nil },
      makeDecoder: { _, _ in ToyDecoder(slots: [0: 0]) })
    let run = LogSession(
      id: .seeded(1), board: .number(1), started: .at(0),
      streams: (0..<streams).map { LoggedStream(name: "s\($0)", fields: [], slots: slots, layout: []) },
      boot: 1, resetID: 1)
    return ReadOutCounts(run, entries: 100, format: format, at: .zero)
  }

  private func page(_ slots: [UInt8], endsPage: Bool) -> LogPage {
    LogPage(entries: slots.flatMap { [$0, 0, 0, 0] }, endsPage: endsPage, left: nil)
  }

  @Test func `F110 what came of a page in doubt is counted once, when it comes again`() {
    var tally = tally()
    _ = tally.took(page([0, 0, 6], endsPage: true), new: 3, at: .zero)
    _ = tally.took(page([0, 6], endsPage: false), new: 2, at: .zero)
    #expect(tally.samples == 3 && tally.unknown == [6: 2])
    tally.begins(entries: 3)
    #expect(tally.samples == 2 && tally.unknown == [6: 1])
    _ = tally.took(page([0, 0, 6], endsPage: true), new: 3, at: .zero)
    #expect(tally.samples == 4 && tally.unknown == [6: 2])
  }

  @Test func `repeats are not counted`() {
    var tally = tally()
    _ = tally.took(page([0, 0, 0], endsPage: true), new: 1, at: .zero)
    #expect(tally.samples == 1)
  }

  @Test func `F114 what nobody can read counts again when it comes again, as it is still on the board`() {
    var tally = tally()
    _ = tally.took(page([6, 6, 0, 6], endsPage: true), new: 1, at: .zero)
    #expect(tally.unknown == [6: 3] && tally.samples == 0)
  }

  @Test func `F110 lost entries are samples where it is clear whose they are`() {
    var one = tally(slots: [0, 1])
    #expect(one.lose(3) == 2 && one.lost == 3 && one.samplesLost == 2)
    var several = tally(streams: 2)
    #expect(several.samplesLost == 0)
    #expect(several.lose(3) == -1 && several.samplesLost == -1)
  }
}
