import FleetModel
import Testing

@testable import metafleet

@Suite struct RecordingAccountTests {
  private func account(_ batches: [SampleBatch]) -> RecordingAccount {
    var account = RecordingAccount()
    for batch in batches { _ = account.add(batch) }
    return account
  }

  @Test func `F230 what comes twice counts once, and is stored once`() {
    var account = RecordingAccount()
    #expect(account.add(RecordExample.batch(40..<50)) == [0..<10])
    #expect(account.add(RecordExample.batch(40..<50, gapBefore: 3)) == [])
    #expect(account.add(RecordExample.batch(45..<55)) == [5..<10])
    #expect(account.samples == 15 && account.gaps == 0 && account.holes.all == 0)
  }

  @Test func `F230 a hole in seq is a gap, and so is what a later run lacks of its beginning`() {
    let account = account([
      RecordExample.batch(40..<50), RecordExample.batch(60..<70), RecordExample.batch(5..<10, session: 9),
      // Of a run before the first nobody knows where it begins: it is a replay.
      RecordExample.batch(30..<40, session: -9),
    ])
    #expect(account.missing == 15 && account.gaps == 2)
    #expect(account.complaints == ["15 samples in 2 gaps of seq were published and did not come here"])
  }

  @Test func `what was lost before it was published is told apart`() {
    let account = account([
      RecordExample.batch(0..<5, gapBefore: 12), RecordExample.batch(5..<9, gapBefore: -1),
      RecordExample.batch(9..<10),
    ])
    #expect(account.missing == 0 && account.lost == 12)
    #expect(
      account.complaints == [
        "12 samples were lost before they were published, in 2 gaps, 1 of which nobody could count"
      ])
  }

  @Test func `boards and streams are counted by their names`() {
    let account = account([
      RecordExample.batch(0..<1), RecordExample.batch(0..<1, stream: "switch"),
      RecordExample.batch(0..<2, board: BoardID("c0ffee000001")!),
    ])
    #expect(account.text == "4 samples of 2 boards and 2 streams" && account.complaints.isEmpty)
  }

  @Test func `of runs that are long over only what they lacked is kept`() {
    let runs = (1...40).map { RecordExample.batch(2..<4, session: Int64($0)) }
    let account = account([RecordExample.batch(0..<4)] + runs)
    #expect(account.samples == 84 && account.missing == 80 && account.gaps == 40)
  }
}
