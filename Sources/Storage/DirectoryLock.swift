internal import FleetModel
internal import Glibc

/// Keeps a second daemon out of a state directory (fault F70) until it is dropped or the process ends, however.
struct DirectoryLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Makes the directory if it is missing, readable for its owner alone.
  init(_ directory: String) throws(StoreFailure) {
    descriptor = try Self.lock(directory)
    PrivateFiles.protect(directory)
  }

  deinit { Glibc.close(descriptor) }

  /// Between its fork and its exec a child holds what its parent had, also what the parent has given up meanwhile.
  private static let attempts = 20
  private static let pause: Int32 = 10

  private static func lock(_ directory: String) throws(StoreFailure) -> Int32 {
    try create(directory)
    // Children that we start do not inherit the lock.
    let descriptor = open("\(directory)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw .taken(PathFailure.text("the state directory \(directory)", "written"))
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
        "the state directory \(directory) is used by another metafleet daemon; stop that one, or set another storage.directory"
      )
    }
    return descriptor
  }

  /// Makes what is missing of the path, each directory for its owner alone.
  private static func create(_ directory: String) throws(StoreFailure) {
    var path = directory.hasPrefix("/") ? "/" : ""
    for part in directory.split(separator: "/") {
      path += path.isEmpty || path == "/" ? String(part) : "/\(part)"
      guard mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
      throw .taken(PathFailure.text("the state directory \(directory)", "created"))
    }
  }
}
