import Fleet
import FleetModel
import Storage

/// The proof of completeness: what a board's logs held is delivered, declared lost or still on its way. Pure.
struct LogVerification: Sendable {
  /// One stream of one board.
  struct Line: Hashable, Sendable {
    var board: BoardID
    var stream: String
    /// Samples that the entries hold, counted anew from them; what was published where they are gone by now.
    var produced = 0
    var account = LogLedger.Account()
    /// Samples that are in the archive and not published yet.
    var toCome = 0

    /// What keeps the sum from adding up; nil when it does.
    var fault: String? {
      if account.isBroken { return "sample numbers are missing or duplicated" }
      let known = account.delivered + account.waiting + toCome
      return known == produced ? nil : "\(known) of \(produced) samples are accounted for"
    }
  }

  private(set) var lines: [Line] = []
  /// What is wrong with whole sessions.
  private(set) var faults: [(session: ULID, text: String)] = []
  /// When boards did not log because they were read out, each pause once however many streams it is of.
  private(set) var pauses: Set<Pause> = []

  struct Pause: Hashable, Sendable {
    var board: BoardID
    var from, to: Timestamp
  }

  /// Takes a session's books and the samples that its entries hold by stream; nil where the entries are gone.
  mutating func add(_ ledger: LogLedger, counted: [String: Int]?, gaps: [LogGap]) {
    let session = ledger.session
    for name in Set(ledger.accounts.keys).union(counted?.keys ?? [:].keys).sorted() {
      let account = ledger.accounts[name] ?? .init()
      let produced = counted.map { $0[name] ?? 0 } ?? account.published
      let isAllPublished = ledger.published == session.stored
      var line = Line(board: session.board, stream: name, produced: produced, account: account)
      line.toCome = isAllPublished ? 0 : max(0, produced - account.published)
      if let index = lines.firstIndex(where: { $0.board == session.board && $0.stream == name }) {
        lines[index].produced += line.produced
        lines[index].account.add(line.account)
        lines[index].toCome += line.toCome
      } else {
        lines.append(line)
      }
    }
    for gap in gaps where gap.cause == .pause {
      guard let from = gap.from, let to = gap.to else { continue }
      pauses.insert(Pause(board: session.board, from: from, to: to))
    }
    if let fault = Self.fault(of: session, gaps) { faults.append((session.id, fault)) }
    if ledger.undecoded > 0 {
      let entries = CountText.entries(ledger.undecoded)
      faults.append((session.id, "\(entries) of unknown loggers; export --raw shows what they hold"))
    }
  }

  private static func fault(of session: LogSession, _ gaps: [LogGap]) -> String? {
    // A pause explains nothing that the board counted.
    guard let expected = session.expected, gaps.allSatisfy({ $0.cause == .pause }) else { return nil }
    switch session.progress {
    // What is still on the board is not lost.
    case .logging, .reading: return nil
    case .short, .complete, .cleared:
      return session.stored == expected
        ? nil : "\(session.stored) of \(expected) entries are stored, and no gap was declared"
    }
  }

  /// What boards did not log while they were read out, for people; nil where nothing.
  var notLogged: String? {
    guard !pauses.isEmpty else { return nil }
    let seconds = pauses.reduce(0) { $0 + max(0, ($1.to - $1.from).inSeconds) }
    let count = CountText.of(pauses.count, "pause")
    return "not logged: \(count), \(JSONText.of(.number((seconds * 10).rounded() / 10))) s"
  }

  var isComplete: Bool { faults.isEmpty && lines.allSatisfy { $0.fault == nil } }

  func table(names: [BoardID: String]) -> Table {
    var table = Table([
      Table.names("BOARD"), .init("STREAM"), .init("PRODUCED", isRight: true),
      .init("DELIVERED", isRight: true),
      .init("LOST", isRight: true), .init("WAITING", isRight: true), .init("VERDICT"),
    ])
    for line in lines.sorted(by: { ($0.board, $0.stream) < ($1.board, $1.stream) }) {
      // What was lost was produced, too.
      let produced = line.account.lost < 0 ? "\(line.produced)+" : "\(line.produced + line.account.lost)"
      table.rows.append([
        .init(names[line.board].map(printable) ?? "\(line.board)"), .init(printable(line.stream)),
        .init(produced), .init("\(line.account.delivered)"), .init(SessionTable.lost(line.account.lost)),
        .init("\(line.account.waiting + line.toCome)"),
        .init(line.fault ?? "complete", line.fault == nil ? .good : .bad),
      ])
    }
    return table
  }

  static func object(of line: Line) -> JSONObject {
    var object: JSONObject = [
      "board": .string(line.board.description), "stream": .string(line.stream),
      "produced": .integer(Int64(line.produced + max(0, line.account.lost))),
      "delivered": .integer(Int64(line.account.delivered)), "lost": .integer(Int64(line.account.lost)),
      "waiting": .integer(Int64(line.account.waiting + line.toCome)), "ok": .bool(line.fault == nil),
    ]
    object["message"] = line.fault.map { .string($0) }
    return object
  }
}
