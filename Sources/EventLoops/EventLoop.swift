import CLinux
import Glibc
import Synchronization

/// A thread that waits in epoll and runs actors.
///
/// An actor lives on it by returning `asUnownedSerialExecutor()` from `nonisolated var unownedExecutor`. Watches,
/// timers and `execute` call plain closures on the same thread, which enter such actors with `assumeIsolated`:
/// no hop, no lock. One turn: ready descriptors, due timers, then the jobs that were waiting, in order.
///
/// Descriptors stay ready while there is more to read, so a handler reads a little and returns: the loop looks again
/// before it pauses, and others get their turn in between.
///
/// The thread keeps the loop alive until `stop()`.
package final class EventLoop: SerialExecutor {
  package typealias Instant = ContinuousClock.Instant

  package let name: String
  let epoll: Epoll
  private let wakeup: Wakeup
  private let thread = Atomic<pthread_t>(0)
  private let mailbox = Guarded(Mailbox())
  private let watches = Guarded(WatchTable())
  private let timers = Guarded(TimerHeap<Instant, @Sendable () -> Void>())
  /// What reads the packets of all sockets here. For the loop's thread alone.
  package nonisolated(unsafe) let packets = PacketReader()
  private let coalescing = Guarded(Coalescing())
  private let followers = Guarded(PollWaiters())

  private static let wakeupToken: UInt64 = 0

  /// `name` is what tools show for the thread, at most 15 bytes of it.
  package init(name: String) throws(SystemCallFailure) {
    self.name = name
    epoll = try Epoll()
    wakeup = try Wakeup()
    try epoll.add(wakeup.descriptor, token: Self.wakeupToken, interest: .read)
    thread.store(try LoopThread.start(detached: false) { self.run() }, ordering: .relaxed)
  }

  package var isOnLoop: Bool {
    pthread_equal(pthread_self(), thread.load(ordering: .relaxed)) != 0
  }

  /// Lets the jobs and callbacks that are waiting run, ends the thread and waits for its end (not when called on
  /// the loop itself). Watches and timers are dropped without a call, so close what waits for them first.
  ///
  /// Nothing is lost afterwards: a late job, such as a continuation resumed after the stop, runs on a
  /// short-lived thread that counts as the loop's, one at a time and in order. Late watches and timers do nothing.
  package func stop() {
    let running = thread.load(ordering: .relaxed)
    guard mailbox.withLock({ $0.requestStop() }) else { return }
    if isOnLoop {
      pthread_detach(running)
    } else {
      wakeup.signal()
      pthread_join(running, nil)
    }
  }
}

// Work from other threads.
extension EventLoop {
  package func enqueue(_ job: consuming ExecutorJob) {
    put(.job(UnownedJob(job)))
  }

  package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  package func checkIsolated() {
    precondition(isOnLoop, "not on the thread of the loop \(name)")
  }

  /// Makes `callback` on the loop's thread in the order of calls, also among the jobs of its actors. Never at
  /// once, even when called on the loop.
  package func execute(_ callback: @escaping @Sendable () -> Void) {
    put(.callback(callback))
  }

  /// Comes back once the thread has had a moment for it.
  package func reach() async {
    await withCheckedContinuation { continuation in execute { continuation.resume() } }
  }

  private func put(_ item: Mailbox.Item) {
    switch mailbox.withLock({ $0.put(item) }) {
    case .nothing: break
    case .wake: if !isOnLoop { wakeup.signal() }
    case .revive:
      do {
        _ = try LoopThread.start(detached: true) { self.runLateItems() }
      } catch {
        runLateItems()
      }
    }
  }
}

// Descriptors and timers.
extension EventLoop {
  /// Calls `handler` on the loop's thread while `descriptor` is ready for `interest`. A descriptor has one watch
  /// at a time; a second one is refused by the kernel.
  package func watch(
    _ descriptor: Int32, for interest: Interest, handler: @escaping @Sendable (Readiness) -> Void
  ) throws(SystemCallFailure) -> Watch {
    try add(descriptor, for: interest) { readiness in
      handler(readiness)
      return .more
    }
  }

  /// Calls `reader` while there is something to read, or an end to be seen, and pauses as soon as all readers say that
  /// they took everything, without looking again. Otherwise as above.
  package func watch(
    reading descriptor: Int32, _ reader: @escaping @Sendable (Readiness) -> DrainResult
  ) throws(SystemCallFailure) -> Watch {
    try add(descriptor, for: .read, reader)
  }

  private func add(
    _ descriptor: Int32, for interest: Interest, _ handler: @escaping WatchTable.Handler
  ) throws(SystemCallFailure) -> Watch {
    let watch = watches.withLock { table in
      table.insert(handler) { Watch(descriptor, token: $0, loop: self) }
    }
    do {
      try watch.setInterest(interest)
    } catch {
      forget(watch)
      throw error
    }
    return watch
  }

  func forget(_ watch: Watch) {
    watches.withLock { $0.remove(watch.token) }
  }

  /// Makes `callback` once on the loop's thread, not before `delay` is over.
  @discardableResult
  package func schedule(after delay: Duration, _ callback: @escaping @Sendable () -> Void) -> LoopTimer {
    let deadline = Instant.now + delay
    let (id, isNext) = timers.withLock { timers in
      (timers.insert(callback, at: deadline), timers.nextDeadline() == deadline)
    }
    if isNext, !isOnLoop { wakeup.signal() }
    return LoopTimer(id: id, loop: self)
  }

  func cancel(_ timer: LoopTimer) {
    _ = timers.withLock { $0.remove(timer.id) }
  }

  /// How long the loop looks at no descriptor after a turn with traffic, to collect more of it; by itself it never
  /// pauses. `shortest` is for the time in which answers are expected. Jobs, callbacks and timers are served meanwhile.
  package func coalesce(_ longest: Duration, shortest: Duration) {
    coalescing.withLock { ($0.longest, $0.shortest) = (longest, shortest) }
  }

  /// Only short pauses for so long: an answer is expected on a descriptor, nobody knows when.
  package func expectAnswers(for duration: Duration) {
    coalescing.withLock { $0.eagerUntil = .now + duration }
  }

  /// No resting until the matching `endUrgentWait`: an answer is expected on a descriptor.
  package func beginUrgentWait() {
    coalescing.withLock { $0.urgentWaits += 1 }
  }

  package func endUrgentWait() {
    coalescing.withLock { $0.urgentWaits -= 1 }
  }
}

// The thread.
extension EventLoop {
  private func run() {
    adoptThisThread()
    name.withCString { clinux_name_this_thread($0) }
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 256) { events in
      while !mailbox.withLock({ $0.endIfDone() }) {
        if let pause = coalescing.withLock({ $0.pause(at: .now) }) {
          waitWithoutPolling(for: pause)
        } else {
          let finding = turn(events)
          if finding != .nothing { wakeFollowers() }
          coalescing.withLock { $0.polled(finding, at: .now) }
        }
      }
    }
    for watch in watches.withLock({ $0.watches }) { watch.cancel() }
    timers.withLock { $0 = TimerHeap() }
    leaveThisThread()
  }

  private func turn(_ events: UnsafeMutableBufferPointer<epoll_event>) -> Coalescing.Finding {
    let isPressed = hasMail || coalescing.withLock { $0.isCollecting }
    let timeout = isPressed ? 0 : untilNextTimer(atMost: nil)
    let ready = events.prefix(epoll.wait(into: events, milliseconds: timeout))
    var finding = ready.count < events.count ? Coalescing.Finding.nothing : .part
    for event in ready {
      let token = event.data.u64
      if token == Self.wakeupToken {
        wakeup.drain()
      } else if let handler = watches.withLock({ $0.handler(of: token) }) {
        // Looked up one by one: an earlier handler of this turn may have cancelled this watch.
        let result = handler(Readiness(epollEvents: event.events))
        finding = max(finding, result == .more ? .part : .all)
      }
    }
    serve()
    return finding
  }

  /// Has `sleeper` woken behind the first look with traffic that comes no sooner than after `delay`.
  func wake(_ sleeper: Sleeper, withLookAfter delay: Duration) {
    followers.withLock { $0.add(sleeper, from: .now + delay) }
  }

  private func wakeFollowers() {
    for sleeper in followers.withLock({ $0.takeDue(at: .now) }) { sleeper.wake() }
  }

  /// Polls no descriptor until a timer is due, a job comes or `pause` is over.
  private func waitWithoutPolling(for pause: Duration) {
    if !hasMail, wakeup.wait(milliseconds: untilNextTimer(atMost: pause)) { wakeup.drain() }
    serve()
  }

  private func serve() {
    let now = Instant.now
    while let callback = timers.withLock({ $0.popDue(now: now) }) { callback() }
    runMail()
  }

  private var hasMail: Bool {
    mailbox.withLock { !$0.isEmpty || $0.phase != .running }
  }

  private func runMail() {
    for item in mailbox.withLock({ $0.takeAll() }) {
      switch item {
      case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .callback(let callback): callback()
      }
    }
  }

  private func runLateItems() {
    adoptThisThread()
    while !mailbox.withLock({ $0.endIfDone() }) { runMail() }
    leaveThisThread()
  }

  /// In milliseconds, rounded up so that a timer is never looked at too early; -1 for ever.
  private func untilNextTimer(atMost limit: Duration?) -> Int32 {
    let next = timers.withLock { $0.nextDeadline() }.map { Instant.now.duration(to: $0) }
    guard let wait = [next, limit].compactMap({ $0 }).min() else { return -1 }
    let (seconds, attoseconds) = wait.components
    if seconds < 0 || attoseconds < 0 { return 0 }
    let milliseconds =
      min(seconds, 86_400) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(milliseconds)
  }

  private func adoptThisThread() {
    thread.store(pthread_self(), ordering: .relaxed)
  }

  /// The number of a thread that has ended may be given to another one.
  private func leaveThisThread() {
    _ = thread.compareExchange(expected: pthread_self(), desired: 0, ordering: .relaxed)
  }
}
