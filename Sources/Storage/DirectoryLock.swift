internal import FoundationEssentials
internal import Glibc

/// Keeps a second daemon out of a state directory (fault F70) until it is dropped or the process ends, however.
struct DirectoryLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Makes the directory if it is missing, readable for its owner alone.
  init(_ directory: String) throws(StoreFailure) {
    descriptor = try Self.lock(directory)
  }

  deinit { Glibc.close(descriptor) }

  /// Between its fork and its exec a child holds what its parent had, also what the parent has given up meanwhile.
  private static let attempts = 20
  private static let pause: Int32 = 10

  private static func lock(_ directory: String) throws(StoreFailure) -> Int32 {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .taken("the state directory \(directory) cannot be made: \(error)")
    }
    // Children that we start do not inherit the lock.
    let descriptor = open("\(directory)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .taken("the state directory \(directory) is not writable: \(String(cString: strerror(errno)))")
    }
    var attempts = 1
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if attempts < Self.attempts {
        attempts += 1
        _ = poll(nil, 0, Self.pause)
        continue
      }
      Glibc.close(descriptor)
      throw .taken(
        "the state directory \(directory) is in use by another daemon: stop that one or use another directory"
      )
    }
    return descriptor
  }
}
