import FleetModel
import Testing

@testable import Fleet

/// What came of a download, and what may be done then (MQTT contract 3.5).
@Suite struct LogDownloadTests {
  private func download(isComplete: Bool) -> LogDownload {
    var download = LogDownload(session: .seeded(1), expected: 10, stored: isComplete ? 10 : 7, samples: 5)
    (download.isComplete, download.streams) = (isComplete, ["acceleration"])
    return download
  }

  @Test func tellsWhatItStored() {
    #expect(
      download(isComplete: true).data == [
        "session": .string(ULID.seeded(1).description), "entries_expected": 10, "entries_stored": 10,
        "samples": 5, "streams": ["acceleration"], "complete": true, "cleared": false,
      ])
    #expect(download(isComplete: false).shortfall.contains("counted 10 entries and handed out 7"))
  }

  @Test("I2 nothing is erased that is not stored in whole, whoever says so")
  func incomplete() {
    #expect(
      !download(isComplete: false).mayClear(
        DownloadOrder(clear: true), policy: .complete, hasForeignEntries: false))
  }

  @Test("I4 others' entries are erased only when told")
  func foreign() {
    let whole = download(isComplete: true)
    #expect(!whole.mayClear(DownloadOrder(), policy: .complete, hasForeignEntries: true))
    #expect(whole.mayClear(DownloadOrder(clear: true), policy: .never, hasForeignEntries: true))
  }

  @Test func theProfileSaysWhenToErase() {
    let whole = download(isComplete: true)
    #expect(whole.mayClear(DownloadOrder(), policy: .complete, hasForeignEntries: false))
    #expect(!whole.mayClear(DownloadOrder(), policy: .never, hasForeignEntries: false))
    #expect(!whole.mayClear(DownloadOrder(clear: false), policy: .complete, hasForeignEntries: false))
  }

  @Test func progressIsToldOnceASecond() throws {
    var progress = DownloadProgress(of: 1_000, begun: .zero)
    #expect(try #require(progress.took(100, at: .seconds(1))).percent == 10)
    #expect(progress.took(100, at: .milliseconds(1_900)) == nil)
    let next = try #require(progress.took(300, at: .seconds(5)))
    #expect(next.percent == 50 && next.left == .seconds(5))
  }
}
