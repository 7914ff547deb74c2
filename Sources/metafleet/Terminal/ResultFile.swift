import FleetModel
import Glibc
import Storage

/// Where a large result goes: a file, or standard output.
struct ResultFile: Sendable {
  let descriptor: Int32
  private let path: String?

  /// Makes the file at `path`; nil is standard output. What is there already stays as it is, unless it is to be
  /// overwritten, or is a device or pipe, which keeps nothing (fault F231).
  init(path: String?, isOverwriting: Bool) throws(CommandLineFailure) {
    self.path = path
    guard let path else {
      descriptor = STDOUT_FILENO
      return
    }
    // A command that the gateway runs for somebody writes to what he opened, and nowhere else.
    if let given = getenv(ArchiveChild.resultVariable) {
      descriptor = Int32(String(cString: given)) ?? -1
      guard fcntl(descriptor, F_GETFD) >= 0 else { throw failure("written") }
      return
    }
    let way = isOverwriting || Self.keepsNothing(path) ? O_TRUNC : O_EXCL
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | way, 0o644)
    if descriptor < 0, errno == EEXIST {
      throw CommandLineFailure(
        .taken,
        "\(printable(path)) is there already and stays as it is; give another name, or --force to overwrite it"
      )
    }
    guard descriptor >= 0 else { throw failure("opened") }
  }

  private static func keepsNothing(_ path: String) -> Bool {
    var about = stat()
    return stat(path, &about) == 0 && ![S_IFREG, S_IFDIR].contains(about.st_mode & S_IFMT)
  }

  var isStandardOutput: Bool { path == nil }

  /// Writes all of it, or, to a file, nothing: what is in a file is whole lines also when the disk is full.
  func write(_ bytes: [UInt8]) throws {
    guard path != nil else { return try Console.write(bytes) }
    let start = lseek(descriptor, 0, SEEK_CUR)
    guard !Console.send(bytes, to: descriptor) else { return }
    let code = errno
    if start >= 0 { _ = ftruncate(descriptor, start) }
    throw failure("written", code)
  }

  /// Ends it.
  func close() throws(CommandLineFailure) {
    guard path != nil else { return }
    guard Glibc.close(descriptor) == 0 else { throw failure("closed") }
  }

  /// Takes a file away into which nothing was written.
  func removeIfEmpty() {
    var about = stat()
    guard let path, fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_size == 0
    else { return }
    unlink(path)
  }

  private func failure(_ what: String, _ code: Int32 = errno) -> CommandLineFailure {
    CommandLineFailure(.taken, PathFailure.text(path ?? "standard output", what, code: code))
  }
}
