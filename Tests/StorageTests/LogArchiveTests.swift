import FleetModel
import Storage
import Testing

@Suite struct LogArchiveTests {
  @Test func `a session is remembered with its logger map`() async throws {
    let directory = StateDirectory()
    let stream = LoggedStream(
      name: "shocks", fields: [.init("ax_g", "g", decimals: 5), .init("on", "", .flag)], slots: [0, 1],
      layout: [1, 2, 3],
      configuration: ["rate_hz": 12.5, "range_g": 4, "packed": "off", "list": [true, ["deep": 1]]],
      period: .milliseconds(80))
    let foreign = LoggedStream(name: "temperature[0]", fields: [], slots: [7], layout: [], isOurs: false)
    var session = LogSession.example(streams: [stream])
    session.recycledPages = 9
    session.tick = 0xFFFF_FFFF
    let store = try directory.open()
    try await store.logs.begin(session)
    #expect(try await store.logs.openSession(of: .example) == session)
    try await store.logs.update([stream, foreign], of: session.id)
    try await store.close()
    session.streams = [stream, foreign]
    #expect(try await directory.open().logs.sessions() == [session])
  }

  @Test func `sessions are told by board and by age; the open one is the latest that is not cleared`()
    async throws
  {
    let store = try Store.inMemory()
    let other = try #require(BoardID("c0ffee000002"))
    for number in Int64(1)...3 { try await store.logs.begin(.example(number)) }
    try await store.logs.begin(.example(4, board: other))
    let ids = try await store.logs.sessions(of: .example).map(\.id)
    #expect(ids == (Int64(1)...3).map { LogSession.example($0).id })
    #expect(try await store.logs.sessions(since: .at(3)).count == 2)
    #expect(try await store.logs.openSession(of: .example)?.id == ids[2])
    try await store.logs.noteCleared(ids[2])
    #expect(try await store.logs.openSession(of: .example) == nil)
    #expect(try await store.logs.session(ids[0])?.progress == .cleared)
    #expect(try await store.logs.openSession(of: other) != nil)
  }

  @Test func `entries without a read-out, or not whole, are refused`() async throws {
    let store = try Store.inMemory()
    let session = LogSession.example()
    try await store.logs.begin(session)
    await #expect(throws: StoreFailure.self) {
      _ = try await store.logs.append([1, 2, 3], endsPage: true, to: session.id, entrySize: 3, at: .at(0))
    }
    try await store.logs.beginReadOut(of: session.id, expecting: 1)
    await #expect(throws: StoreFailure.self) {
      _ = try await store.logs.append([1, 2, 3, 4], endsPage: true, to: session.id, entrySize: 3, at: .at(0))
    }
    #expect(try await store.logs.session(session.id)?.stored == 0)
  }

  @Test(arguments: [0, 1, 2])
  func `F34 a read-out is complete only when it brought what the board counted`(missing: Int) async throws {
    let store = try Store.inMemory()
    let session = LogSession.example()
    try await store.logs.begin(session)
    try await store.logs.beginReadOut(of: session.id, expecting: 2)
    let entries = [UInt8](repeating: 7, count: 9 * (2 - missing))
    _ = try await store.logs.append(entries, endsPage: true, to: session.id, entrySize: 9, at: .at(0))
    let cut = try await store.logs.endReadOut(of: session.id, isFinished: false, received: 2 - missing)
    #expect(cut.progress == .reading)
    let finished = try await store.logs.endReadOut(of: session.id, isFinished: true, received: 2 - missing)
    #expect(finished.progress == (missing == 0 ? .complete : .short))
    #expect(finished.expected == 2)
    #expect(finished.stored == 2 - missing)
    // Of a read-out that was cut off the rest is to come.
    #expect(cut.lost == 0 && finished.lost == missing)
  }

  @Test func `F34 entries that came and are not in the archive leave a read-out short`() async throws {
    let store = try Store.inMemory()
    let session = LogSession.example()
    try await store.logs.begin(session)
    try await store.logs.beginReadOut(of: session.id, expecting: 2)
    _ = try await store.logs.append(
      [UInt8](repeating: 7, count: 9), endsPage: true, to: session.id, entrySize: 9, at: .at(0))
    #expect(try await store.logs.endReadOut(of: session.id, isFinished: true, received: 2).progress == .short)
  }

  @Test func `pieces are at most a page, and no longer than asked for`() async throws {
    let store = try Store.inMemory()
    let session = LogSession.example()
    try await store.logs.begin(session)
    try await store.logs.beginReadOut(of: session.id, expecting: 1_300)
    let entries = (0..<1_300 * 9).map { UInt8(truncatingIfNeeded: $0 / 9) }
    let appended = try await store.logs.append(
      entries, endsPage: true, to: session.id, entrySize: 9, at: .at(0))
    #expect(appended.new == 1_300 && appended.repeated == 0)
    let pieces = try await store.publishing.pieces(of: session.id, from: 0, limit: 9)
    #expect(pieces.map(\.position) == [0, 512, 1_024])
    #expect(pieces.map(\.count) == [512, 512, 276])
    #expect(pieces.flatMap(\.entries) == entries)
    #expect(try await store.publishing.pieces(of: session.id, from: 512, limit: 1).map(\.position) == [512])
  }
}
