import Foundation
import Support
import Testing

@testable import metafleet

/// The built program on a terminal of its own.
final class PseudoTerminal: Sendable {
  /// TIOCSPTLCK and TIOCGPTN (Linux, asm-generic/ioctls.h).
  private static let lock: UInt = 0x4004_5431
  private static let number: UInt = 0x8004_5430

  private let host: Int32
  private let program: SpawnedProgram

  init(_ arguments: [String], environment: [String: String], size: TerminalSize) throws {
    // What posix_openpt and its kin do, which Glibc's module lacks.
    host = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var isLocked: Int32 = 0
    var number: UInt32 = 0
    let isOpen = ioctl(host, Self.lock, &isLocked) == 0 && ioctl(host, Self.number, &number) == 0
    try #require(isOpen)
    let guest = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(guest) }
    Self.resize(host, to: size)
    program = try SpawnedProgram(
      BuiltProgram.url.path, arguments,
      environment: environment.merging(["TERM": "xterm-256color"]) { given, _ in given },
      files: .init(input: guest, output: guest))
  }

  /// Changes the size as a window does.
  func resize(to size: TerminalSize) {
    Self.resize(host, to: size)
    program.send(SIGWINCH)
  }

  private static func resize(_ host: Int32, to size: TerminalSize) {
    var window = winsize(
      ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(host, UInt(TIOCSWINSZ), &window)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(host, bytes, bytes.count)
  }

  func send(_ signal: Int32) { program.send(signal) }

  /// What is shown until `words` were, the words included.
  func output(until words: String) async throws -> String {
    try await onThread { [host] in
      var text = ""
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while !text.contains(words) {
        let count = read(host, &bytes, bytes.count)
        guard count > 0 else { return text }
        text += String(decoding: bytes.prefix(count), as: UTF8.self)
      }
      return text
    }
  }

  /// Whether it takes whole lines, as a shell wants it.
  var takesLines: Bool {
    var settings = termios()
    return tcgetattr(host, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON | ECHO) != 0
  }

  func ending() async throws -> Int32 {
    try await onThread { [program] in program.wait() }
  }

  deinit { close(host) }
}
