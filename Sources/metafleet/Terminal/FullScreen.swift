import EventLoops
import Glibc

/// The whole terminal, on its alternate screen: keys come one by one, and what stood there before comes back at the
/// end.
enum FullScreen {
  /// What somebody at the terminal does.
  enum Event: Sendable {
    case key(TerminalKey)
    case resized
    /// The process is asked to end.
    case signal(Int32)
  }

  private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  /// Runs `body` on the alternate screen; `onEvent` hears what happens at the terminal meanwhile.
  static func with<Result>(
    on loop: EventLoop, onEvent: @escaping @Sendable (Event) -> Void, _ body: () async throws -> Result
  ) async throws -> Result {
    let before = keysOneByOne()
    defer {
      try? Console.write(leave)
      if var before { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    }
    try Console.write(enter)
    let signals = try Signals.watch([SIGINT, SIGTERM, SIGHUP, SIGWINCH], on: loop) { number in
      onEvent(number == SIGWINCH ? .resized : .signal(number))
    }
    defer { signals.cancel() }
    let keys = before == nil ? nil : try loop.watch(STDIN_FILENO, for: .read) { _ in readKeys(onEvent) }
    defer { keys?.cancel() }
    return try await body()
  }

  /// Has the terminal tell keys as they are pressed, Ctrl-C and Ctrl-Z too; how it was before, nil without a
  /// terminal.
  private static func keysOneByOne() -> termios? {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    let before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON)
    return tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 ? before : nil
  }

  private static func readKeys(_ onEvent: (Event) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    // The terminal is gone; its hang-up is on the way, and asks as this does.
    guard count > 0 else { return onEvent(.signal(SIGHUP)) }
    for key in TerminalKey.keys(in: Array(bytes.prefix(count))) { onEvent(.key(key)) }
  }
}
