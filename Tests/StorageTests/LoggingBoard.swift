import FleetModel
import Storage

/// A board's log as the archive sees it: pages that are told until they are confirmed, or until they are cleared.
struct LoggingBoard {
  static let entrySize = 9

  /// What happens to a read-out.
  enum Fate: Hashable {
    case finishes
    /// The link breaks behind that many entries.
    case cut(after: Int)
    /// The process is killed when the n-th page (from 0) ended and before it is kept, or kept and not confirmed, or
    /// confirmed.
    case killedBeforeCommit(page: Int), killedBeforeConfirm(page: Int), killedAfterConfirm(page: Int)
  }

  /// All that was ever logged.
  private(set) var log: [[UInt8]] = []
  /// Whether a confirmed page is gone.
  let erasesOnConfirm: Bool
  let pageSize: Int
  /// The first entry that is still there.
  private(set) var head = 0
  private var tick: UInt32 = 0
  private var onThisTick = 0

  init(erasesOnConfirm: Bool, pageSize: Int) {
    (self.erasesOnConfirm, self.pageSize) = (erasesOnConfirm, pageSize)
  }

  var count: Int { log.count - head }

  /// Logs entries of two loggers; up to three on a tick, often with equal values. Between two calls the log was read
  /// out, which takes longer than a tick.
  mutating func write(_ count: Int, using random: inout SeededGenerator) {
    onThisTick = 3
    for _ in 0..<count {
      if onThisTick == 3 || Bool.random(using: &random) {
        tick += UInt32.random(in: 1...3, using: &random)
        onThisTick = 0
      }
      onThisTick += 1
      let value = UInt8.random(in: 0...1, using: &random)
      log.append(
        [UInt8.random(in: 0...1, using: &random)] + withUnsafeBytes(of: tick.littleEndian, Array.init)
          + [value, 0, 0, 0])
    }
  }

  mutating func clear() { head = log.count }

  /// One read-out, as the daemon does it. Returns whether it came to its end.
  mutating func readOut(
    into store: Store, _ id: ULID, _ fate: Fate, inPieces random: inout SeededGenerator
  ) async throws -> Bool {
    try await store.logs.beginReadOut(of: id, expecting: count)
    var (position, told, page) = (head, 0, 0)
    while position < log.count {
      let end = min(position + pageSize, log.count)
      var next = position
      while next < end {
        var upTo = Bool.random(using: &random) ? end : Int.random(in: next + 1...end, using: &random)
        if case .cut(let limit) = fate { upTo = min(upTo, next + limit - told) }
        let piece = Array(log[next..<upTo].joined())
        told += upTo - next
        next = upTo
        let isCut = fate == .cut(after: told)
        if next == end, fate == .killedBeforeCommit(page: page) { return false }
        _ = try await store.logs.append(
          piece, endsPage: next == end && !isCut, to: id, entrySize: Self.entrySize, at: .at(Int64(told)))
        if isCut {
          _ = try await store.logs.endReadOut(of: id, isFinished: false, received: told)
          return false
        }
      }
      if fate == .killedBeforeConfirm(page: page) { return false }
      if erasesOnConfirm { head = end }
      if fate == .killedAfterConfirm(page: page) { return false }
      position = end
      page += 1
    }
    return try await store.logs.endReadOut(of: id, isFinished: true, received: told).progress == .complete
  }
}

extension Store {
  /// All of a session's entries, in order.
  func entries(of id: ULID) async throws -> [[UInt8]] {
    try await publishing.pieces(of: id, from: 0, limit: .max).flatMap { piece in
      stride(from: 0, to: piece.entries.count, by: LoggingBoard.entrySize).map {
        Array(piece.entries[$0..<$0 + LoggingBoard.entrySize])
      }
    }
  }
}

extension LogSession {
  static func example(
    _ number: Int64 = 1, board: BoardID = .example, streams: [LoggedStream] = []
  ) -> LogSession {
    var random = SeededGenerator(seed: UInt64(number))
    return LogSession(
      id: ULID(at: .at(number), using: &random), board: board, started: .at(number), streams: streams,
      boot: 1,
      resetID: 5)
  }
}

extension BoardID {
  static let example = BoardID("c0ffee000001")!
}
