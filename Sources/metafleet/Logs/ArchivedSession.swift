import ArgumentParser
import FleetModel
import Storage

/// What can be named on the command line as a session.
protocol NamedSession: Hashable, Sendable {
  var id: ULID { get }
  var board: BoardID { get }
}

extension LogSession: NamedSession {}

/// A session of the archive: what a board logged, or what is kept of what it streamed.
enum ArchivedSession: NamedSession {
  case log(LogSession)
  case stream(KeptStream)

  var id: ULID {
    switch self {
    case .log(let session): session.id
    case .stream(let stream): stream.id
    }
  }

  var board: BoardID {
    switch self {
    case .log(let session): session.board
    case .stream(let stream): stream.board
    }
  }

  var log: LogSession? { if case .log(let session) = self { session } else { nil } }
  var stream: KeptStream? { if case .stream(let stream) = self { stream } else { nil } }

  /// All there are of a kind, or of both, in a stretch of time: logs that began in it, and streams with samples of it.
  static func all(
    in reader: ArchiveReader, of kind: SessionKind? = nil, since: Timestamp? = nil, until: Timestamp? = nil
  ) throws(StoreFailure) -> [ArchivedSession] {
    let end = until ?? Timestamp(nanoseconds: .max)
    let logs = kind == .stream ? [] : try reader.sessions(since: since).filter { $0.started < end }
    let streams = kind == .log ? [] : try reader.keptStreams()
    let start = since ?? Timestamp(nanoseconds: .min)
    return logs.map { .log($0) }
      + streams.filter { $0.ended >= start && $0.started < end }.map { .stream($0) }
  }
}

extension SessionKind {
  /// For options.
  static func parsed(_ text: String) throws -> SessionKind {
    guard let kind = SessionKind(rawValue: text) else {
      throw ValidationError("write log, for what boards logged, or stream, for what they streamed")
    }
    return kind
  }
}
