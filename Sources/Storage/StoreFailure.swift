internal import GRDB

/// Why the store did not do it. The question it answers: may the process go on?
///
/// `full`, `readOnly`, `taken` and `misuse` are about one call: nothing of it was written, the store stays usable.
/// After `io` and `corrupt` nobody knows what is on the disk, so the store refuses everything from then on and
/// the process must end and start anew; what was not committed is still on the boards or at the sender.
package enum StoreFailure: Error, Hashable, Sendable {
  /// Less is left of the disk than is to stay free: nothing bulky is taken.
  case low
  /// No space left: stop confirming and spooling until there is.
  case full
  /// The file system refuses writing.
  case readOnly
  /// Reading, writing or syncing failed.
  case io(String)
  /// The file is not a sound database.
  case corrupt(String)
  /// Somebody else holds the directory or the database, or the directory is not ours to write in.
  case taken(String)
  /// A later version of this program has written the database.
  case newer(String)
  /// A fault of ours: a row that breaks the schema, or a call after the end.
  case misuse(String)

  /// Whether the store may not be used again.
  package var isFinal: Bool {
    switch self {
    case .io, .corrupt: true
    case .low, .full, .readOnly, .taken, .newer, .misuse: false
    }
  }
}

extension StoreFailure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .low: "the disk has less free space than storage.min_free; free some space"
    case .full: "no space left on the disk for the database; free some space"
    case .readOnly: "the file system of the state directory is read-only; mount it writable"
    case .io(let text): "the database cannot be read or written: \(text); check the disk"
    case .corrupt(let text): "the database is damaged: \(text); restart the gateway"
    case .taken(let text): text
    case .newer(let migration):
      "the database was written by a newer version of metafleet (schema \"\(migration)\"); install that version, or set another storage.directory"
    case .misuse(let text): "internal database error: \(text); please report it"
    }
  }
}

extension StoreFailure {
  /// Takes whatever came out of a transaction.
  init(_ error: any Error) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let error as DatabaseError:
      self.init(
        code: error.resultCode.rawValue, extendedCode: error.extendedResultCode.rawValue,
        text: error.message ?? error.resultCode.description)
    // Nothing of what such an error says of itself: that is the statement and the row.
    default: self = .misuse("a row cannot be read or written")
    }
  }

  /// `code` and `extendedCode` are SQLite's primary and extended result codes.
  init(code: Int32, extendedCode: Int32, text: String) {
    switch ResultCode(rawValue: code) {
    case .SQLITE_FULL: self = .full
    // Not the same as a file system that refuses: our file was moved or replaced under us.
    case .SQLITE_READONLY where ResultCode(rawValue: extendedCode) == .SQLITE_READONLY_DBMOVED:
      self = .io(text)
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt(text)
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
      self = .taken("another program has locked the database; end it")
    case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOMEM:
      self = .io("\(text) (SQLite \(extendedCode))")
    default: self = .misuse("\(text) (SQLite \(extendedCode))")
    }
  }
}
