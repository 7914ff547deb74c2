import FleetModel
import Glibc
import Storage

/// Puts a file in the place of another, so that whoever reads finds the old or the new one, and never a part.
enum WholeFile {
  /// Writes `bytes` to `path`, whose folders are made where they are missing. The failure is a sentence.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    try makeFolder(of: path)
    let scratch = path + ".new"
    let descriptor = open(scratch, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(scratch) }
    let isWritten = Console.send(bytes, to: descriptor) && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWritten, rename(scratch, path) == 0 else {
      let reason = isWritten ? errno : code
      unlink(scratch)
      throw failure(path, reason)
    }
  }

  private static func makeFolder(of path: String) throws(CommandFailure) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += path.hasPrefix("/") || !folder.isEmpty ? "/\(part)" : "\(part)"
      guard mkdir(folder, 0o755) == 0 || errno == EEXIST || errno == EISDIR else {
        // A folder above that we may not change is there already.
        if access(folder, F_OK) == 0 { continue }
        throw CommandFailure(.internal, PathFailure.text("the directory \(folder)", "created"))
      }
    }
  }

  private static func failure(_ path: String, _ code: Int32 = errno) -> CommandFailure {
    CommandFailure(.internal, PathFailure.text(path, "written", code: code))
  }
}
