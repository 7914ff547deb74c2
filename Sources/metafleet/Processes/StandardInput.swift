import EventLoops
import Glibc
import Synchronization

/// Standard input, line by line.
enum StandardInput {
  /// The lines as they come. The stream ends with the input: at once where there is none, such as /dev/null, or where
  /// a terminal belongs to somebody else.
  static func lines(on loop: EventLoop) -> AsyncStream<String> {
    // In the background of a terminal reading fails instead of stopping the process.
    signal(SIGTTIN, SIG_IGN)
    let (stream, lines) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(10_000))
    let buffer = Mutex(LineBuffer())
    let takeIn: @Sendable () -> Bool = {
      guard let bytes = read() else {
        if let last = buffer.withLock({ $0.flush() }) { lines.yield(last) }
        lines.finish()
        return false
      }
      for line in buffer.withLock({ $0.take(bytes) }) { lines.yield(line) }
      return true
    }
    let watching = Mutex<EventLoops.Watch?>(nil)
    do {
      let watch = try loop.watch(STDIN_FILENO, for: .read) { _ in
        if !takeIn() { watching.withLock { $0?.cancel() } }
      }
      watching.withLock { $0 = watch }
      lines.onTermination = { _ in watching.withLock { $0?.cancel() } }
    } catch {
      // Files cannot be watched and never keep anybody waiting.
      while takeIn() {}
    }
    return stream
  }

  /// What there is; nil at the end.
  private static func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}
