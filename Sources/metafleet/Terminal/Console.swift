import Glibc

/// Nobody reads our output any more.
struct ClosedPipe: Error {}

/// Standard output for results, standard error for everything else.
enum Console {
  /// Writes a line of the result.
  static func line(_ text: String) throws(ClosedPipe) { try write(text + "\n") }

  /// Writes a part of the result as it is.
  static func write(_ text: String) throws(ClosedPipe) {
    guard send(text, to: STDOUT_FILENO) else { throw ClosedPipe() }
  }

  /// Tells a person something that is not the result.
  static func note(_ text: String) { _ = send(text + "\n", to: STDERR_FILENO) }

  /// The same of bytes that may be several lines. Blocks while nobody reads.
  static func note(bytes: [UInt8]) { _ = send(bytes, to: STDERR_FILENO) }

  /// Whether whoever read our output is gone: between two lines nothing else tells. A pipe errs, a socket (which Node's
  /// pipes are) and a terminal hang up.
  static var isOutputClosed: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&output, 1, 0) == 1 && Int32(output.revents) & (POLLERR | POLLHUP) != 0
  }

  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether somebody can be asked.
  static var hasKeyboard: Bool { isatty(STDIN_FILENO) == 1 && isWatched }

  /// Columns of the terminal; nil when standard output is none, so that nothing is cut in a pipe.
  static var width: Int? { isTerminal ? TerminalSize.current.columns : nil }

  /// Whether standard output is a terminal whose lines can be drawn over.
  static var isScreen: Bool { isTerminal && !["", "dumb"].contains(environment("TERM")) }

  /// Whether colours are wanted: on a terminal that is not dumb, unless NO_COLOR is set.
  static var hasColours: Bool { isScreen && environment("NO_COLOR").isEmpty }

  private static func environment(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  private static func send(_ text: String, to descriptor: Int32) -> Bool {
    send(Array(text.utf8), to: descriptor)
  }

  /// Writes all bytes; false when that cannot be, and `errno` says why.
  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EAGAIN {
        var target = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&target, 1, -1)
        continue
      }
      guard written > 0 else { return false }
      bytes = bytes.dropFirst(written)
    }
    return true
  }

  /// Whether somebody looks at standard error, on a terminal that can be drawn over.
  static var isWatched: Bool { isatty(STDERR_FILENO) == 1 && !["", "dumb"].contains(environment("TERM")) }

  /// Draws over the line on standard error.
  static func draw(_ text: String) { _ = send(text, to: STDERR_FILENO) }
}
