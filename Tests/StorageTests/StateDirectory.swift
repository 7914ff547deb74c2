import Foundation
import Storage

/// A directory of a test's own, gone with the value.
final class StateDirectory: Sendable {
  let path = "\(NSTemporaryDirectory())/metafleet-store-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var database: String { "\(path)/metafleet.sqlite" }

  var contents: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
  }

  func open() throws(StoreFailure) -> Store {
    try Store(directory: path, executor: InlineExecutor())
  }

  /// The files as they are at this moment, as a crash would leave them, the store being open.
  func crashed() throws -> StateDirectory {
    let copy = StateDirectory()
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    return copy
  }
}

extension Store {
  static func inMemory() throws(StoreFailure) -> Store {
    try Store(inMemoryOn: InlineExecutor())
  }
}
