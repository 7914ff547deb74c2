internal import Glibc

/// How large a file system is, and how much of it a program without privileges may still write, in bytes.
struct DiskSpace: Hashable, Sendable {
  var whole: Int
  var free: Int
  /// Whether it is mounted so that nobody can write, as the system does by itself behind errors of the disk.
  var isReadOnly = false

  /// How large a file is; nil when nobody can tell.
  static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Nil when nobody can tell.
  static func measured(at path: String) -> DiskSpace? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let block = UInt64(status.f_frsize)
    return DiskSpace(
      whole: Int(clamping: UInt64(status.f_blocks) &* block),
      free: Int(clamping: UInt64(status.f_bavail) &* block),
      isReadOnly: status.f_flag & UInt(ST_RDONLY) != 0)
  }
}
