import FleetModel
import Storage

/// Which sessions of the archive a deletion takes, and which stay and why (faults F234, F236). Pure.
///
/// No logged entry is lost and none comes twice: a log goes only when its board holds nothing of it any more, for what
/// is still there would be downloaded and published again; and only when the broker has all of it, unless whoever asks
/// says that it need not. What was streamed is a copy of what was published, and goes at any time.
struct SessionDeletion: Hashable, Sendable {
  /// Why one stays.
  struct Refusal: Hashable, Sendable {
    var log: DeletableLog
    var failure: CommandFailure
  }

  private(set) var logs: [DeletableLog] = []
  private(set) var streams: [KeptStream] = []
  private(set) var refusals: [Refusal] = []
  private let request: SessionDeletionRequest

  /// Chooses among all there are. Throws what is wrong with the names of sessions.
  init(
    _ request: SessionDeletionRequest, logs: [DeletableLog], streams: [KeptStream]
  ) throws(CommandFailure) {
    self.request = request
    let named = try Self.resolve(request.sessions, among: logs.map(\.session.id) + streams.map(\.id))
    func isMeant(_ id: ULID, _ board: BoardID, _ started: Timestamp, _ kind: SessionKind)
      -> Bool
    {
      (request.isForAll || named.contains(id) || request.boards.contains(board))
        && request.kind ?? kind == kind && request.before.map { started < $0 } ?? true
    }
    self.streams = streams.filter { isMeant($0.id, $0.board, $0.started, .stream) }
    for log in logs where isMeant(log.session.id, log.session.board, log.session.started, .log) {
      if let failure = Self.obstacle(log, undelivered: request.undelivered) {
        refusals.append(Refusal(log: log, failure: failure))
      } else {
        self.logs.append(log)
      }
    }
  }

  /// How many go.
  var count: Int { logs.count + streams.count }

  /// Why nothing goes: a session that was named must stay, or all that were meant.
  var failure: CommandFailure? {
    let named = refusals.first { refusal in
      request.sessions.contains { refusal.log.session.id.description.hasPrefix($0) }
    }
    return named?.failure ?? (count == 0 ? refusals.first?.failure : nil)
  }

  private static func resolve(
    _ names: [String], among sessions: [ULID]
  ) throws(CommandFailure) -> Set<ULID> {
    var found: Set<ULID> = []
    for name in names {
      let matching = sessions.filter { $0.description.hasPrefix(name) }
      guard let session = matching.first else {
        throw .invalid("there is no session \(name) in the archive; metafleet sessions lists them")
      }
      guard matching.count == 1 else {
        throw .invalid("\(name) is the beginning of \(matching.count) sessions; give more of the id")
      }
      found.insert(session)
    }
    return found
  }

  /// What speaks against deleting a log; nil where nothing does.
  private static func obstacle(_ log: DeletableLog, undelivered: Bool) -> CommandFailure? {
    let (session, board) = (log.session, log.session.board)
    if log.isReadOut {
      return CommandFailure(
        .busy, "\(session.id) is being downloaded from \(board); try again when that is over",
        retryAfter: .seconds(60))
    }
    switch session.progress {
    case .cleared: break
    case .logging:
      return CommandFailure(
        .undownloadedData,
        "\(board) still logs into \(session.id), or holds what it logged: download and clear it first "
          + "(metafleet send \(board) log-download), or, if the board is gone for good, metafleet forget \(board) --drop-data"
      )
    case .reading, .complete, .short:
      return CommandFailure(
        .undownloadedData,
        "\(board) may still hold entries of \(session.id), which would come again: clear its log first "
          + "(metafleet send \(board) log-clear), or, if the board is gone for good, metafleet forget \(board) --drop-data"
      )
    }
    guard log.undelivered > 0, !undelivered else { return nil }
    let why =
      session.streams.isEmpty
      ? "\(session.id) holds entries of unknown loggers, which were never published"
      : "the broker does not have all of \(session.id) yet: wait until it is connected and has taken it"
    return CommandFailure(
      .notPublished,
      "\(why); undelivered=true (--undelivered) deletes it all the same, and nobody else has it then"
    )
  }
}

/// What is answered.
extension SessionDeletion {
  private static let (mostSessions, mostRefusals) = (100, 50)

  /// The data of the reply, as many having been deleted.
  func answer(deleted: Int) -> JSONObject {
    var data: JSONObject = [
      "deleted": .integer(Int64(deleted)),
      "samples": .integer(Int64(logs.reduce(0) { $0 + $1.samples } + streams.reduce(0) { $0 + $1.samples })),
      "entries": .integer(Int64(logs.reduce(0) { $0 + $1.session.stored })),
    ]
    let rows =
      (logs.map { ($0.session.id, Self.row(of: $0)) } + streams.map { ($0.id, Self.row(of: $0)) })
      .sorted { $0.0.description < $1.0.description }
    data["sessions"] = .array(rows.prefix(Self.mostSessions).map { .object($0.1) })
    if rows.count > Self.mostSessions {
      data["more_sessions"] = .integer(Int64(rows.count - Self.mostSessions))
    }
    data["refused"] = .array(
      refusals.prefix(Self.mostRefusals).map { refusal in
        var row = Self.row(of: refusal.log)
        row["reason"] = .string(refusal.failure.message)
        return .object(row)
      })
    if refusals.count > Self.mostRefusals {
      data["more_refused"] = .integer(Int64(refusals.count - Self.mostRefusals))
    }
    return data
  }

  private static func row(of log: DeletableLog) -> JSONObject {
    let session = log.session
    var row: JSONObject = [
      "session": .string(session.id.description), "board": .string(session.board.description), "kind": "log",
      "started_ms": .integer(max(0, session.started.milliseconds)), "samples": .integer(Int64(log.samples)),
      "entries": .integer(Int64(session.stored)),
      "complete": .bool(session.expected.map { session.stored >= $0 } ?? false),
    ]
    if log.undelivered > 0 { row["undelivered"] = .integer(Int64(log.undelivered)) }
    return row
  }

  private static func row(of stream: KeptStream) -> JSONObject {
    var row: JSONObject = [
      "session": .string(stream.id.description), "board": .string(stream.board.description), "kind": "stream",
      "stream": .string(stream.stream), "started_ms": .integer(max(0, stream.started.milliseconds)),
      "samples": .integer(Int64(stream.samples)),
    ]
    if stream.isRunning { row["running"] = true }
    return row
  }
}
