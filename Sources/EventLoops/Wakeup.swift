import CLinux
import Glibc

/// Ends the wait of a loop from any thread: an eventfd, which counts signals and is read empty at once.
struct Wakeup: ~Copyable, Sendable {
  let descriptor: Int32

  init() throws(SystemCallFailure) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    if descriptor < 0 { throw SystemCallFailure("eventfd") }
  }

  deinit { close(descriptor) }

  func signal() {
    // Fails only when the counter is full, and then the loop is awake already.
    _ = eventfd_write(descriptor, 1)
  }

  func drain() {
    var count: eventfd_t = 0
    _ = eventfd_read(descriptor, &count)
  }

  /// Waits for a signal alone, deaf to every other descriptor of the loop. Returns whether there is one.
  func wait(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }
}
