import Foundation
import GRDBSQLite
import Synchronization
import Testing

/// What SQLite does to the files of one directory: remembered in order, so that a power cut can be played at any
/// moment, and refused at the call that a test names. Other directories are not touched.
///
/// It stands between SQLite and the system as its default VFS. Nothing is really synced: a test only wants to know when
/// it would have been.
final class FaultyDisk: Sendable {
  /// Something that changes a file, by its name.
  enum Operation: Sendable {
    case write(String, offset: Int, [UInt8])
    case truncate(String, size: Int)
    case sync(String)
    case delete(String)
    /// A sync failed: what was not on the disk before never gets there.
    case lost(String)
  }

  private struct State {
    var operations: [Operation] = []
    var calls = 0
    var refusedCall: Int?
    var isFull = false
    var refused: Call?
  }

  private let directory: String
  /// What lay there in the beginning.
  let beginning: [String: [UInt8]]
  private let state = Mutex(State())

  /// Watches `directory` from now on, which exists.
  init(_ directory: String) throws {
    FaultyVFS.register()
    self.directory = try #require(directory.split(separator: "/").last.map(String.init))
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    beginning = try Dictionary(
      uniqueKeysWithValues: names.filter { $0.hasPrefix("metafleet.sqlite") }.map {
        ($0, [UInt8](try Data(contentsOf: URL(filePath: "\(directory)/\($0)"))))
      })
    FaultyVFS.disks.withLock { $0[self.directory] = self }
  }

  /// The directory is one like any other again.
  func end() { FaultyVFS.disks.withLock { $0[directory] = nil } }

  /// Refuses the `call`-th call from now on, once: as a full disk where writing can say so, else as an error.
  func refuse(_ call: Int, isFull: Bool = false) {
    state.withLock { ($0.calls, $0.refusedCall, $0.isFull, $0.refused) = (0, call, isFull, nil) }
  }

  /// What was refused; nil while the call that is to be did not come.
  var refused: Call? { state.withLock { $0.refused } }
  var operations: [Operation] { state.withLock { $0.operations } }

  /// The watched disk of a path.
  static func of(_ path: String) -> (disk: FaultyDisk, name: String)? {
    let parts = path.split(separator: "/").suffix(2).map(String.init)
    guard parts.count == 2, let disk = FaultyVFS.disks.withLock({ $0[parts[0]] }) else { return nil }
    return (disk, parts[1])
  }

  /// What SQLite asks of a disk, with the code that says it failed (sqlite.org/rescode.html).
  enum Call: Int32 {
    case read = 266
    case write = 778
    case sync = 1034
    case truncate = 1546
    case delete = 2570
    case open = 14
    case access = 3338
    case size = 1802
    case lock = 3850
    case unlock = 2058
    case mapShared = 5386
    case lockShared = 5130
  }

  /// Returns SQLite's code of the refusal, or nil once the call may go on.
  func call(_ call: Call) -> Int32? {
    state.withLock { state in
      defer { state.calls += 1 }
      guard state.calls == state.refusedCall else { return nil }
      state.refused = call
      return state.isFull && call == .write ? SQLITE_FULL : call.rawValue
    }
  }

  func did(_ operation: Operation) { state.withLock { $0.operations.append(operation) } }
}
