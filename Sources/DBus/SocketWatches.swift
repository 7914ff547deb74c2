import CDBus
import EventLoops

/// Brings the watches of libdbus, one for reading and one for writing on the same socket, to the one watch per
/// descriptor that a loop knows. Confined to the connection's actor.
final class SocketWatches {
  private let loop: EventLoop
  private let onReady: @Sendable (Readiness) -> Void
  private var watches: [OpaquePointer] = []
  private var loopWatch: Watch?

  init(loop: EventLoop, onReady: @escaping @Sendable (Readiness) -> Void) {
    self.loop = loop
    self.onReady = onReady
  }

  /// False if the loop cannot watch the socket.
  func add(_ watch: OpaquePointer) -> Bool {
    watches.append(watch)
    return update()
  }

  func remove(_ watch: OpaquePointer) -> Bool {
    watches.removeAll { $0 == watch }
    return update()
  }

  func update() -> Bool {
    guard let first = watches.first else {
      loopWatch?.cancel()
      loopWatch = nil
      return true
    }
    let interest = watches.filter { dbus_watch_get_enabled($0) != 0 }.reduce(into: Interest()) {
      $0.formUnion($1.interest)
    }
    do {
      if let loopWatch {
        try loopWatch.setInterest(interest)
      } else {
        loopWatch = try loop.watch(dbus_watch_get_unix_fd(first), for: interest, handler: onReady)
      }
      return true
    } catch {
      return false
    }
  }

  func handle(_ readiness: Readiness) {
    for watch in watches where watches.contains(watch) && dbus_watch_get_enabled(watch) != 0 {
      let flags = readiness.flags(for: watch.interest)
      if flags != 0 { _ = dbus_watch_handle(watch, flags) }
    }
  }
}

extension OpaquePointer {
  /// Of a DBusWatch.
  fileprivate var interest: Interest {
    let flags = dbus_watch_get_flags(self)
    var interest = Interest()
    if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.read) }
    if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.write) }
    return interest
  }
}

extension Readiness {
  fileprivate func flags(for interest: Interest) -> UInt32 {
    var flags: UInt32 = 0
    if interest.contains(.read), contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if interest.contains(.write), contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if contains(.hungUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
    if contains(.failed) { flags |= DBUS_WATCH_ERROR.rawValue }
    return flags
  }
}
