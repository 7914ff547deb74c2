import FleetModel
import Glibc

/// Where a large result goes: a file, or standard output.
struct ResultFile {
  private let descriptor: Int32
  private let path: String?

  /// Opens or empties the file at `path`; nil is standard output.
  init(path: String?) throws(CommandLineFailure) {
    self.path = path
    guard let path else {
      descriptor = STDOUT_FILENO
      return
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure("opened") }
  }

  /// Writes all of it.
  func write(_ bytes: [UInt8]) throws {
    guard path != nil else { return try Console.write(bytes) }
    guard Console.send(bytes, to: descriptor) else { throw failure("written") }
  }

  /// Ends it.
  func close() throws(CommandLineFailure) {
    guard path != nil else { return }
    guard Glibc.close(descriptor) == 0 else { throw failure("closed") }
  }

  private func failure(_ what: String) -> CommandLineFailure {
    CommandLineFailure(.taken, PathFailure.text(path ?? "standard output", what))
  }
}
