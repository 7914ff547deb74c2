import Testing

@testable import MetaMotion

/// What came of a page against what was announced (fault F110; protocol reference, sections 16.5 and 16.10).
@Suite struct LogPageCheckTests {
  private func tally(
    _ announced: Int, pageSize: Int? = nil, earlier: LogPageCheck.Copy? = nil, came: Int, left: Int? = nil
  ) -> LogPageCheck {
    var tally = LogPageCheck(announced: announced, pageSize: pageSize, earlier: earlier)
    take(came, &tally)
    if let left { tally.reported(left: left) }
    return tally
  }

  private func take(_ count: Int, of value: UInt8 = 7, _ tally: inout LogPageCheck) {
    let packet = [0x0B, 0x07] + Array(repeating: value, count: count * LogEntry.size)
    tally.took(packet.span.bytes, from: 2, count: count)
  }

  @Test func `F110 what came and what is left make up what was announced, or the page is in doubt`() {
    #expect(tally(1_000, came: 512, left: 488).verdict == .whole(missing: 0))
    #expect(tally(1_000, came: 510, left: 488).verdict == .doubtful)
    // The progress may come before the page's last entries.
    #expect(tally(512, came: 512).verdict == .whole(missing: 0))
    #expect(tally(512, came: 512, left: 0).verdict == .whole(missing: 0))
    #expect(tally(512, came: 511, left: 0).verdict == .doubtful)
    // More than was announced is all that was announced, unless more is to come.
    #expect(tally(512, came: 600, left: 0).verdict == .whole(missing: 0))
    #expect(tally(512, came: 512, left: 88).verdict == .doubtful)
  }

  @Test func `F110 where nothing is told of what is left, the page has to be full`() {
    #expect(tally(1_000, pageSize: 512, came: 512).verdict == .whole(missing: 0))
    #expect(tally(1_000, pageSize: 512, came: 510).verdict == .doubtful)
    #expect(tally(1_000, came: 512).verdict == .doubtful)
    // Whoever tells it once is held to that.
    var told = tally(1_024, pageSize: 512, came: 256, left: 768)
    told.pageEnded()
    take(512, &told)
    #expect(told.verdict == .doubtful)
  }

  @Test
  func `F110 a page that came twice alike is whole, and tells what it lacks; its board's count is corrected`()
  {
    let first = tally(1_003, came: 512, left: 488)
    var second = tally(1_003, earlier: first.doubt, came: 512, left: 488)
    #expect(second.verdict == .whole(missing: 3))
    second.pageEnded()
    take(488, &second)
    second.reported(left: 0)
    #expect(second.verdict == .whole(missing: 0) && second.hasAll)
  }

  @Test func `F110 other entries, or as many others, are not alike`() {
    let first = tally(10, came: 4, left: 4)
    var second = tally(10, earlier: first.doubt, came: 2, left: 4)
    #expect(second.verdict == .doubtful)
    take(2, of: 8, &second)
    #expect(second.verdict == .doubtful)
  }

  @Test func `F33 what cannot be read keeps its page in doubt, and no other`() {
    var damaged = tally(8, came: 4, left: 4)
    damaged.tookMalformed(isOfEntries: true)
    #expect(damaged.verdict == .doubtful && damaged.doubt == nil)
    var confused = tally(8, came: 4, left: 4)
    confused.tookMalformed(isOfEntries: false)
    #expect(confused.verdict == .whole(missing: 0) && confused.malformed == 1)
  }

  @Test func `F111 a page that came while we were stalled is in doubt once`() {
    var first = tally(8, came: 4, left: 4)
    first.stalled()
    #expect(first.verdict == .doubtful)
    var second = tally(8, earlier: first.doubt, came: 4, left: 4)
    second.stalled()
    #expect(second.verdict == .whole(missing: 0))
    second.pageEnded()
    take(4, &second)
    second.reported(left: 0)
    #expect(second.verdict == .whole(missing: 0))
  }
}
