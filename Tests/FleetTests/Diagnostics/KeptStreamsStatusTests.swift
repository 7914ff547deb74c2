import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct KeptStreamsStatusTests {
  private typealias Round = KeptStreamsStatus.Round

  @Test func `F233 what is cut is told once, and not again while streams pause at the limit`() {
    var status = KeptStreamsStatus()
    #expect(status.note(Round(cut: 5, bytes: 100, maximumSize: 100)) == "cut")
    #expect(status.note(Round(cut: 5, bytes: 100, maximumSize: 100)) == nil)
    #expect(status.note(Round(bytes: 99, maximumSize: 100)) == nil && status.trouble == .cut)
    #expect(status.note(Round(bytes: 50, maximumSize: 100)) == "recovered")
    #expect(status.note(Round(bytes: 50, maximumSize: 100)) == nil)
  }

  @Test func `F235 what is dropped for want of room is told before anything else, and when it is over`() {
    var status = KeptStreamsStatus()
    #expect(status.note(Round(dropped: 5, cut: 5, bytes: 100, maximumSize: 100)) == "dropped")
    #expect(status.note(Round(cut: 5, bytes: 100, maximumSize: 100)) == "cut")
    #expect(status.note(Round(dropped: 1, bytes: 100, maximumSize: 100)) == "dropped")
    #expect(status.note(Round(bytes: 100, maximumSize: 100)) == "recovered")
  }

  @Test func `health says how much there is, since when, and whether that is all there should be`() {
    var status = KeptStreamsStatus()
    #expect(
      status.numbers(at: .at(0)) == [.keptSamples: 0, .keptBytes: 0, .keptOldest: 0, .keptOK: 1])
    status.statistics = KeptStatistics(amount: KeptAmount(samples: 7, bytes: 70), oldest: .at(0))
    _ = status.note(Round(cut: 1))
    #expect(
      status.numbers(at: .at(60_000)) == [
        .keptSamples: 7, .keptBytes: 70, .keptOldest: 60, .keptOK: 0,
      ])
    // A clock that was set back.
    #expect(status.numbers(at: .at(-1))[.keptOldest] == 0)
  }

  @Test func `each trouble has a sentence with what to do`() {
    #expect(KeptStreamsStatus.advice(nil) == nil)
    #expect(KeptStreamsStatus.advice(.cut)?.contains("storage.streams.max_size") == true)
    #expect(KeptStreamsStatus.advice(.dropped)?.contains("free space") == true)
  }
}
