/// What the owner of a descriptor waits for.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let read = Interest(rawValue: 1)
  package static let write = Interest(rawValue: 2)
}

/// What the kernel said about a descriptor. A hang-up may come together with data still to be read.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Readiness(rawValue: 1)
  package static let writable = Readiness(rawValue: 2)
  package static let hungUp = Readiness(rawValue: 4)
  package static let failed = Readiness(rawValue: 8)
}

/// What is left on a descriptor that was read.
package enum DrainResult: Sendable {
  /// Nothing: all there was is taken.
  case nothing
  /// There may be more: the loop polls again before it pauses.
  case more
  /// Nothing, and nothing will come: it can no longer be read.
  case ended
}

/// One descriptor watched by a loop until `cancel()`; the loop keeps it, and its handler, so long.
///
/// Level triggered: the handler is called again while the condition lasts, also for hang-up and failure, which
/// are reported with any interest. Cancel before closing the descriptor, which stays the owner's.
package final class Watch: Sendable {
  package let descriptor: Int32
  let token: UInt64
  private let loop: EventLoop
  private let interest = Guarded<Interest?>([])

  init(_ descriptor: Int32, token: UInt64, loop: EventLoop) {
    self.descriptor = descriptor
    self.token = token
    self.loop = loop
  }

  /// With no interest the kernel forgets the descriptor, because it would go on reporting hang-ups.
  package func setInterest(_ wanted: Interest) throws(SystemCallFailure) {
    try interest.withLock { current throws(SystemCallFailure) in
      guard let old = current, old != wanted else { return }
      if wanted.isEmpty {
        loop.epoll.remove(descriptor)
      } else if old.isEmpty {
        try loop.epoll.add(descriptor, token: token, interest: wanted)
      } else {
        try loop.epoll.change(descriptor, token: token, interest: wanted)
      }
      current = wanted
    }
  }

  /// After this returned on the loop's thread, the handler is not called again; elsewhere one call may be
  /// under way. Repeating it does nothing.
  package func cancel() {
    interest.withLock { current in
      if let old = current, !old.isEmpty { loop.epoll.remove(descriptor) }
      current = nil
    }
    loop.forget(self)
  }
}
