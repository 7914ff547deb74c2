import BoardKit
import FleetModel
import Storage
import Testing

@testable import Fleet

/// What came of a download, and what may be done then (MQTT contract 3.5).
@Suite struct LogDownloadTests {
  private func download(isComplete: Bool) -> LogDownload {
    var download = LogDownload(session: .seeded(1), expected: 10, stored: isComplete ? 10 : 7, samples: 5)
    (download.isComplete, download.streams) = (isComplete, ["acceleration"])
    return download
  }

  @Test func `tells what it stored`() {
    #expect(
      download(isComplete: true).data == [
        "session": .string(ULID.seeded(1).description), "entries_expected": 10, "entries_stored": 10,
        "entries_lost": 0,
        "samples": 5, "entries_lost": 0, "undecoded": 0, "doubled": 0, "streams": ["acceleration"],
        "complete": true,
        "cleared": false,
      ])
    var early = download(isComplete: true)
    early.isClearedBefore = true
    #expect(early.data["cleared_before"] == "published")
    #expect(download(isComplete: false).shortfall.contains("counted 10 entries and sent 7"))
    var damaged = download(isComplete: false)
    damaged.unreadable = 2
    #expect(damaged.shortfall.contains("2 log packets could not be decoded"))
    damaged.undecoded = 4
    #expect(
      damaged.data["undecoded"] == 4 && damaged.shortfall.contains("4 of 7 entries are of unknown loggers"))
    damaged.lost = 3
    #expect(damaged.data["entries_lost"] == 3 && damaged.shortfall.contains("counted 3 entries"))
  }

  @Test func `I2 nothing is erased that is not stored in whole, whoever says so`() {
    #expect(
      !download(isComplete: false).mayClear(
        DownloadOrder(clear: true), policy: .complete, hasForeignEntries: false))
  }

  @Test func `I4 others' entries are erased only when told`() {
    let whole = download(isComplete: true)
    #expect(!whole.mayClear(DownloadOrder(), policy: .complete, hasForeignEntries: true))
    #expect(whole.mayClear(DownloadOrder(clear: true), policy: .never, hasForeignEntries: true))
  }

  @Test func `the profile says when to erase`() {
    let whole = download(isComplete: true)
    #expect(whole.mayClear(DownloadOrder(), policy: .complete, hasForeignEntries: false))
    #expect(!whole.mayClear(DownloadOrder(), policy: .never, hasForeignEntries: false))
    #expect(!whole.mayClear(DownloadOrder(clear: false), policy: .complete, hasForeignEntries: false))
  }

  @Test func `progress is told once a second`() {
    var progress = DownloadProgress(of: 1_000, begun: .zero)
    let told = [(100, 1_000), (100, 1_900), (300, 5_000)].map { count, time in
      progress.took(count, at: .milliseconds(time))
    }
    #expect(told.map { $0?.percent } == [10, nil, 50])
    #expect(told.last??.left == .seconds(5))
  }

  @Test func `F114 complete is what the store says, without packets and entries that nobody can read`() {
    let run = LogSession(
      id: .seeded(1), board: .number(1), started: .at(0), streams: [], boot: 1, resetID: 1,
      progress: .complete, expected: 12, stored: 12)
    var expected = LogDownload(session: .seeded(1), expected: 12, stored: 12, isComplete: true)
    var download = LogDownload(session: .seeded(1))
    download.ended(run, counted: 10)
    #expect(download == expected)
    (expected.unreadable, expected.isComplete) = (1, false)
    download.unreadable = 1
    download.ended(run, counted: 10)
    #expect(download == expected)
    (download.unreadable, download.undecoded) = (0, 1)
    download.ended(run, counted: 10)
    #expect(!download.isComplete)
  }

  @Test(
    arguments: [
      (LogReadOutResult.End.finished, false, true), (.needsErasure, false, true), (.notKept, true, true),
      (.notKept, false, false), (.silent, false, false), (.doubtful, false, false),
    ])
  func `a board that said that it told all, or that holds its pages back, is not asked again`(
    _ end: LogReadOutResult.End, isUnpublished: Bool, isFinished: Bool
  ) {
    let run = LogSession(
      id: .seeded(1), board: .number(1), started: .at(0), streams: [], boot: 1, resetID: 1)
    var tally = ReadOutCounts(run, entries: 10, format: nil, at: .zero)
    tally.doubled = 3
    tally.isErasedBefore = true
    var download = LogDownload(session: .seeded(1))
    download.took(tally, LogReadOutResult(end: end, entries: 9, malformed: 2), isUnpublished: isUnpublished)
    let expected = LogDownload(
      session: .seeded(1), unreadable: 2, doubled: 3, isClearedBefore: true, isFinished: isFinished)
    #expect(download == expected)
  }
}
