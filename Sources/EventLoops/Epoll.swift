import CLinux
import Glibc

/// The kernel's list of descriptors a loop waits for, level triggered.
struct Epoll: ~Copyable, Sendable {
  private let descriptor: Int32

  init() throws(SystemCallFailure) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    if descriptor < 0 { throw SystemCallFailure("epoll_create1") }
  }

  deinit { close(descriptor) }

  /// `token` comes back with every event; it is never reused, so that an event of a closed descriptor cannot
  /// be taken for one of its successor with the same number.
  func add(_ watched: Int32, token: UInt64, interest: Interest) throws(SystemCallFailure) {
    try control(EPOLL_CTL_ADD, watched, token, interest)
  }

  func change(_ watched: Int32, token: UInt64, interest: Interest) throws(SystemCallFailure) {
    try control(EPOLL_CTL_MOD, watched, token, interest)
  }

  func remove(_ watched: Int32) {
    // Refused when the descriptor was closed before; the kernel has then forgotten it already.
    _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, nil)
  }

  /// Fills `events` from the start and returns how many; 0 after the time-out or an interrupting signal.
  func wait(into events: UnsafeMutableBufferPointer<epoll_event>, milliseconds: Int32) -> Int {
    // Debian 13's header wants a pointer that is there.
    guard let first = events.baseAddress else { return 0 }
    return max(0, Int(epoll_wait(descriptor, first, Int32(events.count), milliseconds)))
  }

  private func control(
    _ operation: Int32, _ watched: Int32, _ token: UInt64, _ interest: Interest
  ) throws(SystemCallFailure) {
    var event = epoll_event(events: interest.epollEvents, data: epoll_data_t(u64: token))
    if epoll_ctl(descriptor, operation, watched, &event) != 0 { throw SystemCallFailure("epoll_ctl") }
  }
}

extension Interest {
  fileprivate var epollEvents: UInt32 {
    (contains(.read) ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0)
      | (contains(.write) ? EPOLLOUT.rawValue : 0)
  }
}

extension Readiness {
  init(epollEvents events: UInt32) {
    self = []
    if events & EPOLLIN.rawValue != 0 { insert(.readable) }
    if events & EPOLLOUT.rawValue != 0 { insert(.writable) }
    if events & (EPOLLHUP.rawValue | EPOLLRDHUP.rawValue) != 0 { insert(.hungUp) }
    if events & EPOLLERR.rawValue != 0 { insert(.failed) }
  }
}
