import Foundation

@testable import Storage

/// A directory of a test's own on a file system of 8 MiB, as far as the store is told; gone with the value.
final class ScaledDisk: Sendable {
  static let size = 8 << 20

  let path = "\(NSTemporaryDirectory())/metafleet-outage-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Bytes of the database and its write-ahead log.
  var used: Int {
    ["", "-wal"].compactMap { DiskSpace.size(of: "\(path)/metafleet.sqlite\($0)") }.reduce(0, +)
  }

  func open(on executor: any SerialExecutor) throws(StoreFailure) -> Store {
    try Store(
      directory: path, executor: executor, schema: .current,
      measure: { [self] _ in DiskSpace(whole: Self.size, free: max(0, Self.size - used)) })
  }
}
