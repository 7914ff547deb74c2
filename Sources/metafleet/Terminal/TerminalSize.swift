import Glibc

/// How large the terminal is.
struct TerminalSize: Hashable, Sendable {
  var columns: Int
  var rows: Int

  /// The size now, for a window may change it at any time; without a terminal what COLUMNS says, or the usual.
  static var current: TerminalSize {
    var size = winsize()
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
      return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
    let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? 80
    return TerminalSize(columns: max(20, columns), rows: 24)
  }
}
