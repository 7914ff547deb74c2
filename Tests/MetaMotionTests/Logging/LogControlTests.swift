import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// The log of a board over a scripted link (protocol reference, sections 16.3, 16.5, 16.9).
@Suite(.timeLimit(.minutes(20)))
struct LogControlTests {
  /// Pages that were handed over, and what is said of them.
  private actor Shelf {
    private(set) var pages: [LogPage] = []
    var isFull = false

    func keep(_ page: LogPage) -> Bool {
      pages.append(page)
      return !isFull
    }

    func fill() { isFull = true }
  }

  private static let subscriptions = ["0b0701", "0b0d01", "0b0801"].map(bytes)
  private static let subscriptionsEnded = ["0b0700", "0b0d00", "0b0800"].map(bytes)
  private static let entries = "a0e6420000f5003d01 a1e6420000dd0f0000"

  private func session(_ board: TestBoard = .metaMotionS) async throws -> DriverSession {
    try await DriverSession.interviewed(board)
  }

  private func expectBegin(_ session: DriverSession, _ count: String) async throws {
    try await session.link.expect(each: Self.subscriptions)
    try await session.link.expect(bytes("0b06" + count + "00000000"))
  }

  // Reading out.

  @Test func `F33 a page is confirmed when it was kept, and the subscriptions end with the read-out`()
    async throws
  {
    let session = try await session()
    let shelf = Shelf()
    async let readOut = session.readOut(3) { await shelf.keep($0) }
    try await expectBegin(session, "03000000")
    await session.link.answer(bytes("0b07" + Self.entries))
    await session.link.answer(bytes("0b0801000000"))
    await session.link.answer(bytes("0b0d"))
    try await session.link.expect(bytes("0b0e"))
    #expect(await shelf.pages == [LogPage(entries: bytes(Self.entries), endsPage: true, left: 1)])
    await session.link.answer(bytes("0b07a0f44200001f011601"))
    await session.link.answer(bytes("0b0d"))
    try await session.link.expect(bytes("0b0e"))
    await session.link.answer(bytes("0b0800000000"))
    await session.passUntilWritten()
    try await session.link.expect(each: Self.subscriptionsEnded)
    #expect(try await readOut.get() == LogReadOutResult(end: .finished, entries: 3))
    #expect(await shelf.pages.map(\.left) == [1, 1])
    #expect(await session.verdicts.allSatisfy { $0 == .taken })
    try await session.link.expectNothing()
  }

  @Test func `F33 what could not be kept is not confirmed`() async throws {
    let session = try await session()
    let shelf = Shelf()
    await shelf.fill()
    async let readOut = session.readOut(2) { await shelf.keep($0) }
    try await expectBegin(session, "02000000")
    await session.link.answer(bytes("0b07" + Self.entries))
    await session.link.answer(bytes("0b0d"))
    try await session.link.expect(each: Self.subscriptionsEnded)
    #expect(try await readOut.get() == LogReadOutResult(end: .notKept, entries: 2))
    try await session.link.expectNothing()
  }

  @Test func `F31 a link that breaks in a page leaves what came, unconfirmed`() async throws {
    let session = try await session()
    let shelf = Shelf()
    async let readOut = session.readOut(9) { await shelf.keep($0) }
    try await expectBegin(session, "09000000")
    await session.link.answer(bytes("0b07" + Self.entries))
    let failure = LinkFailure(.closed, "out of range")
    await session.link.end(because: failure)
    #expect(await readOut.failure == .linkEnded(failure))
    #expect(await shelf.pages == [LogPage(entries: bytes(Self.entries), endsPage: false, left: nil)])
    try await session.link.expectNothing()
  }

  @Test func `F31 a link that breaks while a page is kept hands it over once, unconfirmed`()
    async throws
  {
    let session = try await session()
    let shelf = Shelf()
    let failure = LinkFailure(.closed, "out of range")
    async let readOut = session.readOut(9) { page in
      await session.link.end(because: failure)
      return await shelf.keep(page)
    }
    try await expectBegin(session, "09000000")
    await session.link.answer(bytes("0b07" + Self.entries))
    await session.link.answer(bytes("0b0d"))
    await session.link.answer(bytes("0b0807000000"))
    #expect(await readOut.failure == .linkEnded(failure))
    #expect(await shelf.pages.count == 1)
    try await session.link.expectNothing()
  }

  @Test func `F110 a page of which packets were lost is not confirmed; what comes twice alike is`()
    async throws
  {
    let session = try await session()
    let shelf = Shelf()
    for isSecond in [false, true] {
      async let readOut = session.readOut(4) { await shelf.keep($0) }
      try await expectBegin(session, "04000000")
      await session.link.answer(bytes("0b07" + Self.entries))
      await session.link.answer(bytes("0b0d"))
      await session.link.answer(bytes("0b0800000000"))
      await session.passUntilWritten()
      if isSecond {
        try await session.link.expect(bytes("0b0e"))
        await session.passUntilWritten()
      }
      try await session.link.expect(each: Self.subscriptionsEnded)
      let ended = try await readOut.get()
      #expect(
        ended
          == LogReadOutResult(end: isSecond ? .finished : .doubtful, entries: 2, missing: isSecond ? 2 : 0))
    }
    #expect(await shelf.pages.map(\.endsPage) == [false, true])
    try await session.link.expectNothing()
  }

  @Test func `F111 a page during which our own reader was stalled is read once more, and then erased`()
    async throws
  {
    let session = try await session()
    let shelf = Shelf()
    await session.holdUp()
    for isSecond in [false, true] {
      async let readOut = session.readOut(2) { await shelf.keep($0) }
      try await expectBegin(session, "02000000")
      await session.link.answer(bytes("0b07" + Self.entries))
      await session.link.answer(bytes("0b0800000000"))
      await session.link.answer(bytes("0b0d"))
      if isSecond { try await session.link.expect(bytes("0b0e")) }
      await session.passUntilWritten()
      try await session.link.expect(each: Self.subscriptionsEnded)
      #expect(try await readOut.get() == LogReadOutResult(end: isSecond ? .finished : .doubtful, entries: 2))
    }
  }

  @Test func `F112 nothing is erased where nobody allowed it`() async throws {
    let session = try await session()
    let shelf = Shelf()
    async let readOut = session.readOut(4, mayErase: false) { await shelf.keep($0) }
    try await expectBegin(session, "04000000")
    await session.link.answer(bytes("0b07" + Self.entries))
    await session.link.answer(bytes("0b0d"))
    await session.link.answer(bytes("0b0802000000"))
    try await session.link.expect(each: Self.subscriptionsEnded)
    #expect(try await readOut.get() == LogReadOutResult(end: .needsErasure, entries: 2))
    try await session.link.expectNothing()
  }

  @Test func `F35 a silent board is given up after 20 s, and what came is kept`() async throws {
    let session = try await session()
    let shelf = Shelf()
    async let readOut = session.readOut(9) { await shelf.keep($0) }
    try await expectBegin(session, "09000000")
    await session.link.answer(bytes("0b07" + Self.entries))
    await session.passUntilWritten()
    try await session.link.expect(each: Self.subscriptionsEnded)
    #expect(try await readOut.get() == LogReadOutResult(end: .silent, entries: 2))
    #expect(await shelf.pages.map(\.endsPage) == [false])
  }

  @Test func `F36 an empty log is not asked for`() async throws {
    let session = try await session()
    let readOut = try await session.readOut(0) { _ in true }.get()
    #expect(readOut == LogReadOutResult(end: .finished, entries: 0))
    try await session.link.expectNothing()
  }

  @Test func `F31 what an earlier link's read-out still sends is neither confirmed nor mixed with ours`()
    async throws
  {
    let session = try await session()
    for packet in ["0b07" + Self.entries, "0b0d", "0b0803000000"] { await session.link.answer(bytes(packet)) }
    #expect(await session.verdicts == [.unwanted, .unwanted, .unwanted])
    #expect(await !session.hasStaleSubscriptions)
    let shelf = Shelf()
    let begun = session.clock.uptime
    async let readOut = session.readOut(2) { await shelf.keep($0) }
    await session.passUntilWritten()
    #expect(session.clock.uptime - begun >= LogDownloadMachine.quiet)
    try await expectBegin(session, "02000000")
    await session.link.answer(bytes("0b07" + Self.entries))
    await session.link.answer(bytes("0b0d"))
    try await session.link.expect(bytes("0b0e"))
    await session.link.answer(bytes("0b0800000000"))
    await session.passUntilWritten()
    try await session.link.expect(each: Self.subscriptionsEnded)
    #expect(try await readOut.get() == LogReadOutResult(end: .finished, entries: 2))
  }

  // On, off, empty.

  @Test func `starts overwriting or not`() async throws {
    for (isCircular, command) in [(true, "0b0b01"), (false, "0b0b00")] {
      let session = try await session()
      async let started = session.log { (log) async throws(ProtocolFailure) in
        try await log.start(overwriting: isCircular)
      }
      try await session.link.expect(each: [command, "0b0101"].map(bytes))
      try await session.link.expect(bytes("0b81"), answer: bytes("0b8101"))
      #expect(await started.failure == nil)
    }
  }

  @Test func `F37 what is in memory is written out after logging was seen to be off`() async throws {
    let session = try await session()
    async let stopped = session.log { (log) async throws(ProtocolFailure) in try await log.stop() }
    try await session.link.expect(bytes("0b0100"))
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8100"))
    try await session.link.expect(bytes("0b1001"))
    #expect(await stopped.failure == nil)
    try await session.link.expectNothing()
  }

  @Test func `F37 nothing is flushed while the board logs on`() async throws {
    let session = try await session()
    async let stopped = session.log { (log) async throws(ProtocolFailure) in try await log.stop() }
    try await session.link.expect(bytes("0b0100"))
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8101"))
    #expect(await stopped.failure != nil)
    try await session.link.expectNothing()
  }

  @Test func `F37 boards below revision 3 are never told to flush`() async throws {
    let session = try await session(.metaMotionR)
    async let stopped = session.log { (log) async throws(ProtocolFailure) in try await log.stop() }
    try await session.link.expect(bytes("0b0100"))
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8100"))
    #expect(await stopped.failure == nil)
    try await session.link.expectNothing()
  }

  @Test
  func `F38 a log is emptied when it is off, its end is waited for and confirmed, and its length read again`()
    async throws
  {
    let session = try await session()
    async let cleared = session.log { (log) async throws(ProtocolFailure) in try await log.clear() }
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8101"))
    try await session.link.expect(each: ["0b0100", "0b0d01", "0b09ffffffff"].map(bytes))
    try await session.link.expectNothing()
    await session.link.answer(bytes("0b0d"))
    try await session.link.expect(each: ["0b0e", "0b0d00"].map(bytes))
    #expect(await cleared.failure == nil)
    try await session.link.expectNothing()
  }

  @Test func `F38 a board that does not tell the end is not waited for for ever`() async throws {
    let session = try await session()
    async let cleared = session.log { (log) async throws(ProtocolFailure) in try await log.clear() }
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8100"))
    try await session.link.expect(each: ["0b0d01", "0b09ffffffff"].map(bytes))
    await session.passUntilWritten()
    try await session.link.expect(bytes("0b0d00"))
    #expect(await cleared.failure == nil)
  }

  @Test
  func
    `F150 between the stop and the start of a log nothing is asked that could be asked before or behind them`()
    async throws
  {
    let session = try await session()
    let (link, shelf) = (session.link, Shelf())
    async let looked = session.log { (log) async throws(ProtocolFailure) in try await log.status() }
    try await expectStatus(session, length: "0b8502000000", logging: "0b8101")
    let before = try await looked.get()
    async let prepared = session.log { (log) async throws(ProtocolFailure) in try await log.prepareReadOut() }
    try await link.expect(each: Self.subscriptions)
    #expect(await prepared.failure == nil)
    // The pause begins.
    async let stopped = session.log { (log) async throws(ProtocolFailure) in try await log.stop() }
    try await link.expect(bytes("0b0100"))
    try await link.expect(bytes("0b81"), answer: bytes("0b8100"))
    try await link.expect(bytes("0b1001"))
    #expect(await stopped.failure == nil)
    async let counted = session.log { (log) async throws(ProtocolFailure) in
      try await log.recount(before, withClock: true)
    }
    try await link.expect(bytes("0b84"), answer: bytes("0b841604000005"))
    try await link.expect(bytes("0b85"), answer: bytes("0b8502000000"))
    let now = try await counted.get()
    #expect(now.entries == 2 && now.clock.clock.tick == 0x416 && !now.isLogging)
    #expect(now.isCircular && now.recycledPages == 7)
    async let readOut = session.readOut(2) { await shelf.keep($0) }
    try await link.expect(bytes("0b060200000000000000"))
    await link.answer(bytes("0b07" + Self.entries))
    await link.answer(bytes("0b0d"))
    try await link.expect(bytes("0b0e"))
    await link.answer(bytes("0b0800000000"))
    for _ in 0..<50 {
      await session.advance(by: .milliseconds(100))
      await Task.yield()
    }
    #expect(try await readOut.get().entries == 2)
    async let cleared = session.log { (log) async throws(ProtocolFailure) in try await log.clear() }
    try await link.expect(bytes("0b09ffffffff"))
    await link.answer(bytes("0b0d"))
    try await link.expect(bytes("0b0e"))
    #expect(await cleared.failure == nil)
    async let again = session.log { (log) async throws(ProtocolFailure) in
      try await log.recount(now, withClock: false)
    }
    try await link.expect(bytes("0b85"), answer: bytes("0b8500000000"))
    // How many pages are recycled is not known behind a read-out, which recycles them.
    #expect(try await again.get().recycledPages == nil)
    async let started = session.log { (log) async throws(ProtocolFailure) in
      try await log.start(overwriting: true)
    }
    try await link.expect(bytes("0b0101"))
    try await link.expect(bytes("0b81"), answer: bytes("0b8101"))
    #expect(await started.failure == nil)
    // The pause is over.
    async let left = session.log { (log) async throws(ProtocolFailure) in try await log.leaveReadOut() }
    try await link.expect(each: Self.subscriptionsEnded)
    #expect(await left.failure == nil)
    try await link.expectNothing()
  }

  @Test func `F42 a ring that is half full is asked again how many pages it recycled`() async throws {
    let session = try await session(.metaMotionR)
    async let looked = session.log { (log) async throws(ProtocolFailure) in try await log.status() }
    try await expectStatus(session, length: "0b85ffffff00", logging: "0b8101")
    let before = try await looked.get()
    async let counted = session.log { (log) async throws(ProtocolFailure) in
      try await log.recount(before, withClock: true)
    }
    try await session.link.expect(bytes("0b84"), answer: bytes("0b841604000005"))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b85ffffff00"))
    try await session.link.expect(bytes("0b8c"), answer: bytes("0b8c0900"))
    #expect(try await counted.get().recycledPages == 9)
  }

  private func expectStatus(_ session: DriverSession, length: String, logging: String) async throws {
    try await session.link.expect(bytes("0b84"), answer: bytes("0b841504000005"))
    try await session.link.expect(bytes("0b85"), answer: bytes(length))
    try await session.link.expect(bytes("0b81"), answer: bytes(logging))
    try await session.link.expect(bytes("0b8b"), answer: bytes("0b8b01"))
    try await session.link.expect(bytes("0b8c"), answer: bytes("0b8c0700"))
  }

  // How it stands.

  @Test func `the status is read with the error`() async throws {
    let session = try await session()
    async let status = session.log { (log) async throws(ProtocolFailure) in try await log.status() }
    try await session.link.expect(bytes("0b84"))
    await session.advance(by: .milliseconds(80))
    let now = session.clock.now
    await session.link.answer(bytes("0b841504000005"))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b859e010000"))
    for (question, answer) in [("0b81", "0b8101"), ("0b8b", "0b8b01"), ("0b8c", "0b8c0700")] {
      try await session.link.expect(bytes(question), answer: bytes(answer))
    }
    let told = try await status.get()
    #expect(told.clock.clock == BoardTick(resetID: 5, tick: 0x415))
    #expect(told.clock.error == .milliseconds(40))
    #expect(told.clock.time == Timestamp(nanoseconds: now.nanoseconds - 40_000_000))
    #expect(told.entries == 0x19E && told.capacity == 0x03FB_0000)
    #expect(told.isLogging && told.isCircular && told.recycledPages == 7)
  }

  @Test func `what boards do not tell is asked once`() async throws {
    let session = try await session()
    async let first = session.log { (log) async throws(ProtocolFailure) in try await log.status() }
    try await session.link.expect(bytes("0b84"), answer: bytes("0b841504000005"))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b850500"))
    for question in ["0b81", "0b8b", "0b8c"] {
      try await session.link.expect(bytes(question))
      await session.advance(by: .seconds(1))
    }
    let told = try await first.get()
    #expect(told.entries == 5)
    // A board that may log is stopped before it is read out.
    #expect(told.isLogging && !told.isCircular && told.recycledPages == nil)
    async let stopped = session.log { (log) async throws(ProtocolFailure) in try await log.stop() }
    try await session.link.expect(each: ["0b0100", "0b1001"].map(bytes))
    #expect(await stopped.failure == nil)
    async let second = session.log { (log) async throws(ProtocolFailure) in try await log.status() }
    try await session.link.expect(bytes("0b84"), answer: bytes("0b841504000005"))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b8500000000"))
    #expect(try await second.get().isLogging == false)
    try await session.link.expectNothing()
  }
}
