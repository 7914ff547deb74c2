import Glibc

/// Standard output for results, standard error for everything else.
enum Console {
  /// Writes a line of the result.
  static func line(_ text: String) throws(OutputFailure) { try write(text + "\n") }

  /// Writes a part of the result as it is.
  static func write(_ text: String) throws(OutputFailure) { try write(Array(text.utf8)) }

  /// The same of bytes. Every result goes through here, so that none is lost unnoticed (fault F248).
  static func write(_ bytes: [UInt8]) throws(OutputFailure) {
    guard send(bytes, to: STDOUT_FILENO) else { throw OutputFailure(code: errno) }
  }

  /// Sees to it that the numbers of the three standard files are taken, before anything else is opened: else the first
  /// socket would be standard output. What was closed refuses whatever is written (fault F248).
  static func reserveStandardFiles() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
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
