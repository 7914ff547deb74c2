import EventLoops
import Glibc
import Synchronization

/// A shell that runs a script beside a test and looks after what the script starts: its standard input ends when
/// this process ends, however that happens.
package final class LifelineShell: Sendable {
  /// Its descriptors are open as long as somebody may read from it.
  private let shell: SpawnedShell
  private let hasEnded = Mutex(false)

  /// The script finds the arguments in `$@`.
  package init(_ script: String, _ arguments: [String] = []) throws {
    shell = try SpawnedShell(script: script, arguments, takesErrors: false)
  }

  deinit {
    end()
    close(shell.lifetimePipe)
    close(shell.output)
  }

  /// The next line the shell or its children write, without its end; nil when all have closed their output. Blocks.
  package func line() -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(shell.output, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }

  /// Gives the script a line to read.
  package func say(_ line: String) {
    _ = send(shell.lifetimePipe, line + "\n", line.utf8.count + 1, Int32(MSG_NOSIGNAL))
  }

  /// Ends the script's input, after a last line if there is one, and waits for the shell to end.
  package func end(saying line: String? = nil) {
    hasEnded.withLock { hasEnded in
      if hasEnded { return }
      hasEnded = true
      if let line { say(line) }
      // Ends a read in another thread, too.
      for descriptor in [shell.lifetimePipe, shell.output] { shutdown(descriptor, Int32(SHUT_RDWR)) }
      waitpid(shell.process, nil, 0)
    }
  }
}
