import FleetModel
import Glibc
import Storage

/// The bytes of a file, read by plain system calls: Foundation keeps to itself why a file cannot be read.
enum FileContent {
  /// Why there are none.
  enum Failure: Error, Hashable {
    case refused(Int32)
    case tooLarge(limit: Int)

    var isMissing: Bool { self == .refused(ENOENT) }

    /// One sentence that begins with the file.
    func text(_ path: String) -> String {
      switch self {
      case .refused(let code): PathFailure.text(path, "read", code: code)
      case .tooLarge(let limit):
        PathFailure.text(path, "read", reason: "it is larger than \(SizeText.format(Int64(limit)))")
      }
    }
  }

  /// All of them; pipes are read to their end.
  static func read(_ path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .refused(errno) }
    defer { close(descriptor) }
    return try read(descriptor, atMost: limit)
  }

  /// Whether that is no file but a pipe, a device or a socket, which can be read only once.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// What is left of standard input, which may also be a socket, and those have no path.
  static func readStandardInput(atMost limit: Int) throws(Failure) -> [UInt8] {
    try read(STDIN_FILENO, atMost: limit)
  }

  private static func read(_ descriptor: Int32, atMost limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .refused(errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    }
  }
}
