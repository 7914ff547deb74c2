import FleetModel
import Testing

@testable import Storage

@Suite struct LogDeduplicationTests {
  private static let boundaries = [0, 511, 1_023, 1_298].flatMap { [$0, $0 + 1, $0 + 2] }.filter { $0 > 0 }

  @Test(
    arguments: [true, false], boundaries)
  func `F31 a read-out that was cut anywhere is completed by the next, each entry once`(
    erases: Bool, cut: Int
  ) async throws {
    var random = SeededGenerator(seed: UInt64(cut))
    var board = LoggingBoard(erasesOnConfirm: erases, pageSize: 512)
    board.write(1_299, using: &random)
    let (store, session) = (try Store.inMemory(), LogSession.example())
    try await store.logs.begin(session)
    _ = try await board.readOut(into: store, session.id, .cut(after: cut), inPieces: &random)
    // Again at the same place, as far as it gets.
    _ = try await board.readOut(into: store, session.id, .cut(after: cut), inPieces: &random)
    let isComplete = try await board.readOut(into: store, session.id, .finishes, inPieces: &random)
    #expect(isComplete)
    #expect(try await store.entries(of: session.id) == board.log)
    let after = try #require(try await store.logs.session(session.id))
    #expect(after.stored == 1_299)
    #expect(after.expected == 1_299)
  }

  private static let kills: [LoggingBoard.Fate] = (0..<3).flatMap {
    [.killedBeforeCommit(page: $0), .killedBeforeConfirm(page: $0), .killedAfterConfirm(page: $0)]
  }

  @Test(
    arguments: [true, false], kills)
  func `F32 F33 a kill at any step between a page's entries and its confirmation loses and doubles nothing`(
    erases: Bool, fate: LoggingBoard.Fate
  ) async throws {
    var random = SeededGenerator(seed: 3)
    var board = LoggingBoard(erasesOnConfirm: erases, pageSize: 40)
    board.write(119, using: &random)
    let (directory, session) = (StateDirectory(), LogSession.example())
    let first = try directory.open()
    try await first.logs.begin(session)
    _ = try await board.readOut(into: first, session.id, fate, inPieces: &random)
    let crashed = try directory.crashed()
    let second = try crashed.open()
    let isComplete = try await board.readOut(into: second, session.id, .finishes, inPieces: &random)
    #expect(isComplete)
    #expect(try await second.entries(of: session.id) == board.log)
  }

  @Test func `F31 F33 F45 whatever is cut, killed and logged on, the archive is the board's log`()
    async throws
  {
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next()
    for round in 0..<300 {
      var random = SeededGenerator(seed: seed &+ UInt64(round))
      var board = LoggingBoard(
        erasesOnConfirm: Bool.random(using: &random), pageSize: .random(in: 8...64, using: &random))
      let (store, session) = (try Store.inMemory(), LogSession.example())
      try await store.logs.begin(session)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        board.write(.random(in: 0...150, using: &random), using: &random)
        let page = Int.random(in: 0...3, using: &random)
        let fates: [LoggingBoard.Fate] = [
          .cut(after: .random(in: 1...200, using: &random)), .killedBeforeCommit(page: page),
          .killedBeforeConfirm(page: page), .killedAfterConfirm(page: page), .finishes,
        ]
        let fate = fates[.random(in: 0..<5, using: &random)]
        _ = try await board.readOut(into: store, session.id, fate, inPieces: &random)
      }
      let isComplete = try await board.readOut(into: store, session.id, .finishes, inPieces: &random)
      #expect(isComplete, "seed \(seed), round \(round)")
      #expect(try await store.entries(of: session.id) == board.log, "seed \(seed), round \(round)")
    }
  }

  @Test func `F33 after a clear the same bytes are new`() async throws {
    var random = SeededGenerator(seed: 5)
    let store = try Store.inMemory()
    var board = LoggingBoard(erasesOnConfirm: false, pageSize: 16)
    board.write(40, using: &random)
    for number in Int64(1)...2 {
      let session = LogSession.example(number)
      try await store.logs.begin(session)
      _ = try await board.readOut(into: store, session.id, .finishes, inPieces: &random)
      #expect(try await store.entries(of: session.id) == board.log)
      try await store.logs.noteCleared(session.id)
    }
  }

  @Test func `F33 a repeat is recognised across sessions while nothing was cleared`() async throws {
    var random = SeededGenerator(seed: 6)
    let store = try Store.inMemory()
    var board = LoggingBoard(erasesOnConfirm: false, pageSize: 16)
    board.write(40, using: &random)
    for number in Int64(1)...2 {
      try await store.logs.begin(.example(number))
      _ = try await board.readOut(
        into: store, LogSession.example(number).id, .finishes, inPieces: &random)
      board.write(10, using: &random)
    }
    let first = try await store.entries(of: LogSession.example(1).id)
    let second = try await store.entries(of: LogSession.example(2).id)
    #expect(first + second == Array(board.log.prefix(50)))
  }

  @Test func `F33 a resend that deviates is stored from its page on: nothing is lost`() async throws {
    let (store, session) = (try Store.inMemory(), LogSession.example())
    try await store.logs.begin(session)
    func send(_ pages: [[UInt8]], cut: Bool = false) async throws {
      try await store.logs.beginReadOut(of: session.id, expecting: pages.joined().count)
      for (index, page) in pages.enumerated() {
        let isLast = index == pages.count - 1
        // In two pieces, so that what was doubtful came earlier.
        for (part, ends) in [(page.prefix(1), false), (page.dropFirst(), !(cut && isLast))] {
          _ = try await store.logs.append(
            Array(part), endsPage: ends, to: session.id, entrySize: 1, at: .at(0))
        }
      }
    }
    // An entry got lost in the first page's air; it came in the resend.
    try await send([[1, 2, 3], [4, 6]], cut: true)
    try await send([[4, 5, 6], [7, 8]])
    let entries = try await store.publishing.pieces(of: session.id, from: 0, limit: 99).flatMap(\.entries)
    #expect(entries == [1, 2, 3, 4, 6, 4, 5, 6, 7, 8])
    #expect(try await store.logs.session(session.id)?.expected == 10)
  }

  @Test func `F110 a page in doubt that comes again takes its own place, also where it comes otherwise`()
    async throws
  {
    let (store, session) = (try Store.inMemory(), LogSession.example())
    try await store.logs.begin(session)
    func send(_ pages: [[UInt8]], isLastWhole: Bool, again: Bool) async throws {
      try await store.logs.beginReadOut(of: session.id, expecting: 9, again: again ? 1 : nil)
      for (index, page) in pages.enumerated() {
        let ends = index < pages.count - 1 || isLastWhole
        for (part, ends) in [(page.prefix(1), false), (page.dropFirst(), ends)] {
          _ = try await store.logs.append(
            Array(part), endsPage: ends, to: session.id, entrySize: 1, at: .at(0))
        }
      }
    }
    try await send([[1, 2, 3], [4, 6]], isLastWhole: false, again: false)
    #expect(try await store.logs.completeEntries(of: session.id) == 3)
    try await send([[5, 6]], isLastWhole: false, again: true)
    #expect(try await store.logs.completeEntries(of: session.id) == 3)
    try await send([[4, 5, 6], [7, 8]], isLastWhole: true, again: true)
    let entries = try await store.publishing.pieces(of: session.id, from: 0, limit: 99).flatMap(\.entries)
    #expect(entries == [1, 2, 3, 4, 5, 6, 7, 8])
    let after = try #require(try await store.logs.session(session.id))
    #expect(after.stored == 8 && after.expected == 12)
    #expect(try await store.logs.completeEntries(of: session.id) == 8)
  }

  @Test(arguments: [LogQuery.nextPiece, LogQuery.pageStarts, LogQuery.pieces, LogQuery.undeliveredSamples])
  func `no statement reads through the archive`(query: String) async throws {
    let file = try SQLiteFile()
    try Schema.current.migrate(file)
    #expect(try file.explain(query).allSatisfy { $0.hasPrefix("SEARCH") || $0.contains("TEMP B-TREE") })
  }
}
