import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct SessionDeletionTests {
  private static let streams = [
    LoggedStream(name: "switch", fields: [.init("pressed", "", .flag)], slots: [0], layout: [])
  ]

  private static func log(
    _ number: Int, _ progress: LogSession.Progress = .cleared, board: Int = 1, undelivered: Int = 0,
    isReadOut: Bool = false
  ) -> DeletableLog {
    DeletableLog(
      session: LogSession(
        id: .seeded(UInt64(number)), board: .number(board), started: .at(Int64(number)), streams: streams,
        boot: 1, resetID: 0, progress: progress, expected: 100, stored: 100),
      samples: 50, undelivered: undelivered, isReadOut: isReadOut)
  }

  private static func stream(_ number: Int, board: Int = 1, isRunning: Bool = false) -> KeptStream {
    KeptStream(
      id: .seeded(UInt64(number)), board: .number(board), stream: "acceleration", boot: 1, fields: [],
      started: .at(Int64(number)), ended: .at(Int64(number) + 1), samples: 10, bytes: 100,
      isRunning: isRunning)
  }

  private static func judged(
    _ request: SessionDeletionRequest, _ logs: [DeletableLog], _ streams: [KeptStream] = []
  ) throws -> (logs: [Int], streams: [Int], refused: Int, code: CommandFailure.Code?) {
    let deletion = try SessionDeletion(request, logs: logs, streams: streams)
    func number(_ time: Timestamp) -> Int { Int((time - .at(0)).wholeMilliseconds) }
    return (
      deletion.logs.map { number($0.session.started) }, deletion.streams.map { number($0.started) },
      deletion.refusals.count, deletion.failure?.code
    )
  }

  @Test func `boards, kinds and times choose`() throws {
    let (logs, streams) = ([Self.log(1), Self.log(2, board: 2)], [Self.stream(3), Self.stream(4, board: 2)])
    let cases: [(SessionDeletionRequest, [Int], [Int])] = [
      (.init(isForAll: true), [1, 2], [3, 4]), (.init(boards: [.number(2)]), [2], [4]),
      (.init(isForAll: true, kind: .stream), [], [3, 4]), (.init(isForAll: true, kind: .log), [1, 2], []),
      (.init(isForAll: true, before: .at(3)), [1, 2], []),
      (
        .init(sessions: [ULID.seeded(2).description, String(ULID.seeded(3).description.prefix(20))]), [2], [3]
      ),
      (.init(boards: [.number(9)]), [], []),
    ]
    for (request, goneLogs, goneStreams) in cases {
      let result = try Self.judged(request, logs, streams)
      #expect(result.logs == goneLogs && result.streams == goneStreams, "\(request)")
      #expect(result.refused == 0 && result.code == nil)
    }
  }

  @Test(
    arguments: [
      (DeletableLog, CommandFailure.Code, String)
    ]([
      (log(1, .logging), .undownloadedData, "log-download"),
      (log(1, .reading), .undownloadedData, "log-clear"),
      (log(1, .complete), .undownloadedData, "log-clear"), (log(1, .short), .undownloadedData, "--drop-data"),
      (log(1, undelivered: 3), .notPublished, "--undelivered"),
      (log(1, .reading, isReadOut: true), .busy, "try again"),
    ]))
  func `F234 what a board still has, or the broker has not, stays, with a sentence that helps`(
    log: DeletableLog, code: CommandFailure.Code, words: String
  ) throws {
    let deletion = try SessionDeletion(.init(isForAll: true), logs: [log], streams: [])
    #expect(deletion.count == 0 && deletion.failure?.code == code)
    #expect(deletion.failure?.message.contains(words) == true, "\(deletion.failure?.message ?? "")")
  }

  @Test func `F234 whoever allows it loses what is not delivered, and nothing that a board still has`() throws
  {
    let logs = [Self.log(1, undelivered: 3), Self.log(2, .complete, undelivered: 3)]
    let result = try Self.judged(.init(isForAll: true, undelivered: true), logs)
    #expect(result.logs == [1] && result.refused == 1 && result.code == nil)
  }

  @Test func `sessions that are named go all or none, those of boards as far as they can`() throws {
    let logs = [Self.log(1), Self.log(2, .logging)]
    let named = SessionDeletionRequest(sessions: logs.map(\.session.id.description))
    #expect(try Self.judged(named, logs).code == .undownloadedData)
    #expect(try Self.judged(.init(boards: [.number(1)]), logs).code == nil)
  }

  @Test func `names that nothing has, or several have, are refused`() {
    let logs = [Self.log(1), Self.log(2)]
    for name in ["01JZZZZZZZ", String(ULID.seeded(1).description.prefix(10))] {
      let failure = #expect(throws: CommandFailure.self) {
        _ = try SessionDeletion(.init(sessions: [name]), logs: logs, streams: [])
      }
      #expect(failure?.code == .invalid)
    }
  }

  @Test func `the answer tells of each what goes, and of those that stay why`() throws {
    let deletion = try SessionDeletion(
      .init(isForAll: true), logs: [Self.log(1), Self.log(2, .logging)],
      streams: [Self.stream(3, isRunning: true)])
    let answer = deletion.answer(deleted: 2)
    #expect(answer["deleted"] == 2 && answer["samples"] == 60 && answer["entries"] == 100)
    let rows = answer["sessions"]?.array?.compactMap(\.object) ?? []
    #expect(
      rows.count == 2 && rows.contains { $0["complete"] == true } && rows.contains { $0["running"] == true })
    #expect(answer["refused"]?.array?.count == 1 && answer["more_sessions"] == nil)
  }

  @Test func `long lists are cut, and say so`() throws {
    let streams = (0..<130).map { Self.stream($0) }
    let logs = (200..<260).map { Self.log($0, .logging) }
    let answer = try SessionDeletion(.init(isForAll: true), logs: logs, streams: streams).answer(deleted: 130)
    #expect(answer["sessions"]?.array?.count == 100 && answer["more_sessions"] == 30)
    #expect(answer["refused"]?.array?.count == 50 && answer["more_refused"] == 10)
    #expect(JSONWriter.render(answer).count < 60 << 10)
  }
}
