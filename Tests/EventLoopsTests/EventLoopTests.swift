import EventLoops
import Glibc
import Synchronization
import Testing

/// An ordinary actor that lives on a loop.
private actor Tenant {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  var log: [String] = []

  init(_ loop: EventLoop) { self.loop = loop }

  func note(_ entry: String) { log.append(entry) }
  func isOnItsLoop() -> Bool { loop.isOnLoop }

  func isOnItsLoopAfterSleep() async throws -> Bool {
    try await loop.sleep(for: .milliseconds(1))
    return loop.isOnLoop
  }

  func waitForCallback() async -> String {
    await withCheckedContinuation { continuation in
      loop.schedule(after: .zero) { continuation.resume(returning: "called") }
    }
  }
}

private func withLoop<T: Sendable>(_ body: (EventLoop) async throws -> T) async throws -> T {
  let loop = try EventLoop(name: "test")
  defer { loop.stop() }
  return try await body(loop)
}

/// Runs `body` on the loop and waits for it.
private func onLoop<T: Sendable>(_ loop: EventLoop, _ body: @escaping @Sendable () -> T) async -> T {
  await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: body()) } }
}

@Suite struct EventLoopTests {
  @Test func `actors run on the thread of their loop`() async throws {
    try await withLoop { loop in
      #expect(await Tenant(loop).isOnItsLoop())
      #expect(!loop.isOnLoop)
    }
  }

  @Test func `plain callbacks enter actors without a hop`() async throws {
    try await withLoop { loop in
      let tenant = Tenant(loop)
      let log = await onLoop(loop) {
        tenant.assumeIsolated { tenant in
          tenant.note("in")
          return tenant.log
        }
      }
      #expect(log == ["in"])
    }
  }

  @Test func `continuations resumed by timers come back to the actor`() async throws {
    try await withLoop { loop in #expect(await Tenant(loop).waitForCallback() == "called") }
  }

  @Test func `callbacks and jobs keep their order`() async throws {
    try await withLoop { loop in
      let order = Mutex<[Int]>([])
      for number in 0..<100 { loop.execute { order.withLock { $0.append(number) } } }
      await onLoop(loop) {}
      #expect(order.withLock { $0 } == Array(0..<100))
    }
  }

  @Test func `timers fire in order of their deadlines and cancelled ones do not`() async throws {
    try await withLoop { loop in
      let fired = Mutex<[String]>([])
      await withCheckedContinuation { continuation in
        // On the loop, so that no timer fires before all are there.
        loop.execute {
          loop.schedule(after: .milliseconds(3)) { continuation.resume() }
          let never = loop.schedule(after: .milliseconds(1)) { fired.withLock { $0.append("never") } }
          loop.schedule(after: .milliseconds(2)) { fired.withLock { $0.append("second") } }
          loop.schedule(after: .zero) {
            fired.withLock { $0.append("first") }
            never.cancel()
          }
        }
      }
      #expect(fired.withLock { $0 } == ["first", "second"])
    }
  }

  @Test func `a timer from outside is served before the one the loop waits for`() async throws {
    try await withLoop { loop in
      loop.schedule(after: .seconds(3600)) { Issue.record("an hour is not over") }
      await onLoop(loop) {}
      await withCheckedContinuation { continuation in
        loop.schedule(after: .seconds(7200)) { Issue.record("nor are two") }
        loop.schedule(after: .milliseconds(1)) { continuation.resume() }
      }
    }
  }

  @Test func `who sleeps on a loop goes on there`() async throws {
    try await withLoop { loop in
      let tenant = Tenant(loop)
      #expect(try await tenant.isOnItsLoopAfterSleep())
      // Outsiders may sleep there, too.
      try await loop.sleep(for: .milliseconds(1))
    }
  }

  @Test func `a sleep ends with its task before and in between`() async throws {
    try await withLoop { loop in
      let sleeper = Task { try await loop.sleep(for: .seconds(3600)) }
      await onLoop(loop) {}
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }

      let (starts, start) = AsyncStream<Void>.makeStream()
      let cancelled = Task {
        for await _ in starts {}
        try await loop.sleep(for: .seconds(3600))
      }
      cancelled.cancel()
      start.finish()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
  }

  @Test func `a sleep may end behind a look that found something`() async throws {
    try await withLoop { loop in
      let pair = try PacketSockets()
      let (near, far) = (pair.near, pair.far)
      // Never read, so that every look finds it.
      write(far, "a", 1)
      let watch = try loop.watch(near, for: .read) { _ in }
      // Without the look an hour.
      try await loop.sleep(for: .seconds(3600), endingWithLookAfter: .zero)
      watch.cancel()
      close(near)
      close(far)
    }
  }

  @Test func `a watch is called while data is there and told of the hang up`() async throws {
    try await withLoop { loop in
      let pair = try PacketSockets()
      let (near, far) = (pair.near, pair.far)
      let seen = AsyncStream<(Int, Readiness)>.makeStream()
      let watch = try loop.watch(near, for: .read) { readiness in
        var buffer: [UInt8] = Array(repeating: 0, count: 64)
        seen.continuation.yield((read(near, &buffer, buffer.count), readiness))
      }
      var events = seen.stream.makeAsyncIterator()
      write(far, "abc", 3)
      #expect(try #require(await events.next()) == (3, .readable))
      write(far, "four", 4)
      close(far)
      let last = try #require(await events.next())
      #expect(last.0 == 4)
      let end = try #require(await events.next())
      #expect(end.0 == 0 && end.1.contains(.hungUp))
      watch.cancel()
      close(near)
    }
  }

  @Test func `interest may change and a watch without interest is silent even at hang up`() async throws {
    try await withLoop { loop in
      let pair = try PacketSockets()
      let (near, far) = (pair.near, pair.far)
      let seen = AsyncStream<Readiness>.makeStream()
      let watch = try loop.watch(near, for: []) { seen.continuation.yield($0) }
      close(far)
      await onLoop(loop) {}
      await onLoop(loop) {}
      try watch.setInterest(.write)
      var events = seen.stream.makeAsyncIterator()
      // The first event is the one asked for with `.write`; none was delivered before.
      let first = try #require(await events.next())
      #expect(first.contains(.writable) && !first.contains(.readable))
      watch.cancel()
      close(near)
    }
  }

  @Test func `a watch cancelled by another in the same turn is not called`() async throws {
    try await withLoop { loop in
      let (one, other) = (try PacketSockets(), try PacketSockets())
      let watches = Mutex<[Int32: Watch]>([:])
      let called = Mutex<[Int32]>([])
      let done = AsyncStream<Void>.makeStream()
      // Both become ready while the loop is busy here; whoever is called first cancels both.
      await onLoop(loop) {
        for near in [one.near, other.near] {
          let watch = try? loop.watch(near, for: .read) { _ in
            called.withLock { $0.append(near) }
            for watch in watches.withLock({ $0.values }) { watch.cancel() }
            done.continuation.yield()
          }
          watches.withLock { $0[near] = watch }
        }
        write(one.far, "x", 1)
        write(other.far, "x", 1)
      }
      var finished = done.stream.makeAsyncIterator()
      await finished.next()
      await onLoop(loop) {}
      #expect(called.withLock { $0.count } == 1)
      for descriptor in [one.near, one.far, other.near, other.far] { close(descriptor) }
    }
  }

  @Test func `as second watch on a descriptor is refused`() async throws {
    try await withLoop { loop in
      let pair = try PacketSockets()
      let (near, far) = (pair.near, pair.far)
      let watch = try loop.watch(near, for: .read) { _ in }
      #expect(throws: SystemCallFailure("epoll_ctl", code: EEXIST)) {
        try loop.watch(near, for: .read) { _ in }
      }
      watch.cancel()
      close(near)
      close(far)
    }
  }

  /// Each look costs as much for every socket as half a packet.
  @Test func `a loop whose readers took everything rests without looking again`() async throws {
    try await withLoop { loop in
      loop.coalesce(.seconds(3600), shortest: .zero)
      let pair = try PacketSockets()
      let (near, far) = (pair.near, pair.far)
      let seen = AsyncStream<Int>.makeStream()
      let calls = Mutex(0)
      // It leaves something, which shows whether anybody looks again.
      let watch = try loop.watch(reading: near) { _ in
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        seen.continuation.yield(call)
        return .nothing
      }
      var events = seen.stream.makeAsyncIterator()
      write(far, "x", 1)
      #expect(await events.next() == 1)
      for _ in 0..<10 { await onLoop(loop) {} }
      #expect(calls.withLock { $0 } == 1)
      await onLoop(loop) { loop.beginUrgentWait() }
      #expect(await events.next() == 2)
      loop.endUrgentWait()
      watch.cancel()
      close(near)
      close(far)
    }
  }

  @Test func `a rest delays nothing that is not a descriptor and nothing urgent`() async throws {
    try await withLoop { loop in
      // So long that the test would hang if anything here had to wait for the end of the rest.
      loop.coalesce(.seconds(3600), shortest: .zero)
      let pair = try PacketSockets()
      let (near, far) = (pair.near, pair.far)
      let seen = AsyncStream<Int>.makeStream()
      let watch = try loop.watch(near, for: .read) { _ in
        var buffer: [UInt8] = [0]
        seen.continuation.yield(read(near, &buffer, 1))
      }
      var events = seen.stream.makeAsyncIterator()
      write(far, "x", 1)
      #expect(await events.next() == 1)
      for isUrgent in [true, false] {
        write(far, "x", 1)
        #expect(await Tenant(loop).waitForCallback() == "called")
        await onLoop(loop) {
          if isUrgent { loop.beginUrgentWait() } else { loop.expectAnswers(for: .seconds(3600)) }
        }
        #expect(await events.next() == 1)
        if isUrgent { loop.endUrgentWait() }
      }
      watch.cancel()
      close(near)
      close(far)
    }
  }
}

@Suite struct EventLoopStopTests {
  @Test func `stop lets pending work run first`() throws {
    let loop = try EventLoop(name: "test")
    let order = Mutex<[Int]>([])
    for number in 0..<100 { loop.execute { order.withLock { $0.append(number) } } }
    loop.stop()
    #expect(order.withLock { $0 } == Array(0..<100))
    loop.stop()
  }

  @Test func `stop drops timers and watches`() throws {
    let loop = try EventLoop(name: "test")
    let pair = try PacketSockets()
    let (near, far) = (pair.near, pair.far)
    loop.schedule(after: .seconds(3600)) { Issue.record("a dropped timer fired") }
    let watch = try loop.watch(near, for: .read) { _ in Issue.record("a dropped watch was called") }
    loop.stop()
    write(far, "x", 1)
    watch.cancel()
    close(near)
    close(far)
  }

  @Test func `late jobs are not lost and still count as on the loop`() async throws {
    let loop = try EventLoop(name: "test")
    let tenant = Tenant(loop)
    loop.stop()
    for _ in 0..<10 { #expect(await tenant.isOnItsLoop()) }
    #expect(!loop.isOnLoop)
  }

  @Test func `a continuation that outlives the loop is resumed`() async throws {
    let loop = try EventLoop(name: "test")
    let held = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let tenant = Tenant(loop)
    async let finished: Void = hold(tenant)
    @Sendable func hold(_ tenant: isolated Tenant) async {
      await withCheckedContinuation { continuation in held.withLock { $0 = continuation } }
      tenant.note("resumed")
    }
    while held.withLock({ $0 == nil }) { await Task.yield() }
    loop.stop()
    held.withLock { $0?.resume() }
    await finished
    #expect(await tenant.log == ["resumed"])
  }

  @Test func `a loop may stop itself`() async throws {
    let loop = try EventLoop(name: "test")
    await onLoop(loop) { loop.stop() }
    #expect(await Tenant(loop).isOnItsLoop())
  }
}
