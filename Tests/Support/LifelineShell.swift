import Glibc
import Synchronization

/// A shell that runs a script beside a test and looks after what the script starts: its standard input ends when
/// this process ends, however that happens.
///
/// Made without Foundation, whose pipes other children inherit, whose children have the signal mask of a pool's thread
/// and do not hear SIGTERM, and whose reading by callback crashes when a descriptor is closed meanwhile.
package final class LifelineShell: Sendable {
  private let shell: pid_t
  /// The shell's standard input and output. Open as long as somebody may read from it.
  private let socket: Int32
  private let hasEnded = Mutex(false)

  package enum Failure: Error { case noShell }

  /// The script finds the arguments in `$@`.
  package init(_ script: String, _ arguments: [String]) throws {
    // Not a pipe: those cannot be made so that no other child inherits them.
    var pair: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw Failure.noShell }
    defer { close(pair[1]) }
    guard let shell = Self.spawn(["sh", "-c", script, "sh"] + arguments, standardFiles: pair[1]) else {
      close(pair[0])
      throw Failure.noShell
    }
    self.shell = shell
    socket = pair[0]
  }

  deinit {
    end()
    close(socket)
  }

  /// The next line the shell or its children write, without its end; nil when all have closed their output. Blocks.
  package func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(socket, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// Ends the script's input, after a last line if there is one, and waits for the shell to end.
  package func end(saying line: String? = nil) {
    hasEnded.withLock { hasEnded in
      if hasEnded { return }
      hasEnded = true
      if let line { _ = send(socket, line + "\n", line.utf8.count + 1, Int32(MSG_NOSIGNAL)) }
      // Ends a read in another thread, too.
      shutdown(socket, Int32(SHUT_RDWR))
      waitpid(shell, nil, 0)
    }
  }

  private static func spawn(_ arguments: [String], standardFiles descriptor: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, descriptor, 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var shell: pid_t = 0
    return posix_spawn(&shell, "/bin/sh", &actions, &attributes, &words, environ) == 0 ? shell : nil
  }
}
