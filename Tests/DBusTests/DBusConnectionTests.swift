import EventLoops
import Glibc
import Support
import Synchronization
import Testing

@testable import DBus

@Suite struct DBusConnectionTests {
  @Test func `calls are answered`() async throws {
    try await BusFixture.with { fixture in
      await fixture.serve(DBusMethod("Echo", takes: "sv") { $0.reply($0.arguments) })
      let values: [DBusValue] = [.string("x"), .variant(.bytes([1, 2]))]
      let answer = try await fixture.call("Echo", values)
      #expect(answer == values)
    }
  }

  @Test func `calls go both ways on one connection`() async throws {
    try await BusFixture.with { fixture in
      // The service answers only after it got an answer from the client to a question of its own.
      let service = fixture.service
      await fixture.client.serve { $0.reply([.string("client")]) }
      await fixture.serve(
        DBusMethod("Ask") { invocation in
          service.assumeIsolated { service in
            _ = service.send(
              DBusMethodCall(to: invocation.sender, "/c", "test.C", "Name"), deadline: .seconds(60)
            ) {
              invocation.reply((try? $0.get()) ?? [])
            }
          }
        })
      let answer = try await fixture.call("Ask")
      #expect(answer == [.string("client")])
    }
  }

  @Test func `errors arrive with name and text verbatim`() async throws {
    try await BusFixture.with { fixture in
      let failure = DBusFailure.error(name: "org.bluez.Error.Failed", text: "br-connection-canceled")
      await fixture.serve(DBusMethod("Fail") { $0.fail(failure) })
      await #expect(throws: failure) { try await fixture.call("Fail") }
    }
  }

  @Test func `calls to nobody fail`() async throws {
    try await BusFixture.with { fixture in
      await #expect(throws: DBusFailure.self) {
        try await fixture.client.call(
          DBusMethodCall(to: "test.Nobody", "/", "a.B", "C"), deadline: .seconds(60))
      }
    }
  }

  @Test func `F03 a call that is never answered fails at its deadline, and its late answer is dropped`()
    async throws
  {
    try await BusFixture.with { fixture in
      let held = Mutex<DBusInvocation?>(nil)
      await fixture.serve(
        DBusMethod("Swallow") { invocation in held.withLock { $0 = invocation } },
        DBusMethod("Echo") { $0.reply() })
      let deadline = Duration.milliseconds(20)
      await #expect(throws: DBusFailure.timedOut(after: deadline)) {
        try await fixture.call("Swallow", deadline: deadline)
      }
      held.withLock { $0 }?.reply([.string("late")])
      let answer = try await fixture.call("Echo")
      #expect(answer == [])
    }
  }

  @Test func `a cancelled caller stops waiting`() async throws {
    try await BusFixture.with { fixture in
      let arrived = Events<Void>()
      await fixture.serve(DBusMethod("Swallow") { _ in arrived.send(()) })
      let caller = Task { await fixture.outcome("Swallow") }
      _ = await arrived.next()
      caller.cancel()
      #expect(await caller.value == .cancelled)
      // Cancelled before it began.
      let late = Task {
        while !Task.isCancelled { await Task.yield() }
        return await fixture.outcome("Swallow")
      }
      late.cancel()
      #expect(await late.value == .cancelled)
    }
  }

  @Test func `F13 at most 64 calls are on the bus, the others follow in order`() async throws {
    try await BusFixture.with { fixture in
      let held = Mutex<[DBusInvocation]>([])
      let filled = Events<Void>()
      await fixture.serve(
        DBusMethod("Hold", takes: "u") { invocation in
          let count = held.withLock {
            $0.append(invocation)
            return $0.count
          }
          if count == 64 { filled.send(()) }
          // From then on each answer lets one more in.
          if count > 64 { invocation.reply() }
        })
      let finished = Events<Int>()
      await fixture.client.perform { client in
        for number in 0..<200 {
          client.send(fixture.method("Hold", [.uint32(UInt32(number))]), deadline: .seconds(60)) { outcome in
            if case .success = outcome { finished.send(number) }
          }
        }
      }
      _ = await filled.next()
      // A round trip on another connection to the service: whatever the client sent has arrived.
      let witness = try await DBusConnection.open(fixture.bus.address, on: fixture.clientLoop)
      await #expect(throws: DBusFailure.self) {
        try await witness.call(fixture.method("Other"), deadline: .seconds(60))
      }
      await witness.close()
      #expect(held.withLock { $0.count } == 64)
      for invocation in held.withLock({ $0 }) { invocation.reply() }
      for _ in 0..<200 { _ = await finished.next() }
      #expect(held.withLock { $0.map { $0.arguments[0].integer } } == (0..<200).map { $0 })
    }
  }

  @Test func `F12 when the bus dies, every call fails and the end is reported once`() async throws {
    try await BusFixture.with { fixture in
      let arrived = Events<Void>()
      await fixture.serve(DBusMethod("Swallow") { _ in arrived.send(()) })
      async let first = fixture.outcome("Swallow")
      async let second = fixture.outcome("Swallow")
      for _ in 0..<2 { _ = await arrived.next() }
      fixture.bus.crash()
      #expect(await first.isDisconnection)
      #expect(await second.isDisconnection)
      #expect(await fixture.clientEnded.next()?.isDisconnection == true)
      #expect(await fixture.outcome("Swallow").isDisconnection)
      await fixture.client.close()
      fixture.clientEnded.send(.cancelled)
      #expect(await fixture.clientEnded.next() == .cancelled, "reported twice")
    }
  }

  @Test
  func `F13 too many calls that are never answered end the connection before the bus refuses more`()
    async throws
  {
    try await BusFixture.with { fixture in
      await fixture.serve(DBusMethod("Swallow") { _ in })
      await fixture.client.perform { client in
        for _ in 0..<60 {
          client.abandon(client.send(fixture.method("Swallow"), deadline: .seconds(60)) { _ in })
        }
      }
      #expect(await fixture.clientEnded.next()?.isDisconnection == true)
    }
  }

  @Test func `closing fails what is under way`() async throws {
    try await BusFixture.with { fixture in
      let arrived = Events<Void>()
      await fixture.serve(DBusMethod("Swallow") { _ in arrived.send(()) })
      async let outcome = fixture.outcome("Swallow")
      _ = await arrived.next()
      await fixture.client.close()
      #expect(await outcome == .disconnected("closed"))
      #expect(await fixture.clientEnded.next() == .disconnected("closed"))
    }
  }

  @Test(arguments: ["", "nonsense", "unix:path=/nonexistent/socket", "unix:path=/dev/null", "a\0b"])
  func `no bus no connection`(address: String) async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    await #expect(throws: DBusFailure.self) { try await DBusConnection.open(DBusAddress(address), on: loop) }
  }

  @Test func `F11 a bus that accepts and says nothing is given up at the deadline`() async throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let directory = String(cString: mkdtemp(strdup("/tmp/deaf-bus.XXXXXX")))
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(directory)/socket".utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0 && listen(listener, 1) == 0)
    await #expect(throws: DBusFailure.timedOut(after: .milliseconds(20))) {
      try await DBusConnection.open(
        DBusAddress("unix:path=\(directory)/socket"), on: loop, deadline: .milliseconds(20))
    }
    close(listener)
    unlink("\(directory)/socket")
    rmdir(directory)
  }
}

@Suite struct DBusSignalTests {
  @Test func `signals arrive in order and in order with answers`() async throws {
    try await BusFixture.with { fixture in
      let server = fixture.server
      await fixture.serve(
        DBusMethod("Burst") { invocation in
          server.assumeIsolated { server in
            for number in Int32(0)..<50 { server.emit(DBusSignal("/o", "test.I", "Tick", [.int32(number)])) }
            invocation.reply([.string("answer")])
            for number in Int32(50)..<100 {
              server.emit(DBusSignal("/o", "test.I", "Tick", [.int32(number)]))
            }
          }
        })
      let seen = Mutex<[Int]>([])
      let done = Events<Void>()
      _ = try await fixture.client.listen(to: DBusMatchRule(interface: "test.I")) { signal in
        seen.withLock { $0.append(signal.arguments[0].integer ?? -1) }
        if signal.arguments[0].integer == 99 { done.send(()) }
      }
      _ = try await fixture.client.call(fixture.method("Burst"), deadline: .seconds(60)) { _ in
        seen.withLock { $0.append(1000) }
      }
      _ = await done.next()
      #expect(seen.withLock { $0 } == Array(0..<50) + [1000] + Array(50..<100))
    }
  }

  @Test func `sender is the unique name and stopped listeners hear nothing`() async throws {
    try await BusFixture.with { fixture in
      let heard = Events<DBusSignal>()
      let rule = DBusMatchRule(sender: BusFixture.name, member: "Tick")
      let id = try await fixture.client.listen(to: rule) { heard.send($0) }
      await fixture.server.emit(DBusSignal("/o", "test.I", "Tock"))
      await fixture.server.emit(DBusSignal("/o", "test.I", "Tick"))
      let serviceName = await fixture.service.uniqueName
      #expect(await heard.next() == DBusSignal(sender: serviceName, "/o", "test.I", "Tick"))
      await fixture.client.stopListening(id)
      let other = Events<DBusSignal>()
      _ = try await fixture.client.listen(to: rule) { other.send($0) }
      await fixture.server.emit(DBusSignal("/o", "test.I", "Tick", [.byte(2)]))
      #expect(await other.next()?.arguments == [.byte(2)])
      heard.send(DBusSignal("/", "end.Of", "Test"))
      #expect(await heard.next()?.member == "Test")
    }
  }

  @Test func `F13 no more than eight match rules`() async throws {
    try await BusFixture.with { fixture in
      for _ in 0..<8 { _ = try await fixture.client.listen(to: DBusMatchRule()) { _ in } }
      await #expect(throws: DBusFailure.self) {
        try await fixture.client.listen(to: DBusMatchRule()) { _ in }
      }
    }
  }

  @Test func `F10 the owner of a name is known from the start and followed`() async throws {
    try await BusFixture.with { fixture in
      let owners = Events<String?>()
      _ = try await fixture.client.watchOwner(of: "test.Other") { owners.send($0) }
      #expect(await owners.next() == .some(nil))
      let serviceName = await fixture.service.uniqueName
      try await fixture.service.requestName("test.Other")
      #expect(await owners.next() == serviceName)
      await #expect(throws: DBusFailure.self) { try await fixture.client.requestName("test.Other") }
      try await fixture.service.releaseName("test.Other")
      #expect(await owners.next() == .some(nil))
      let present = Events<String?>()
      _ = try await fixture.client.watchOwner(of: BusFixture.name) { present.send($0) }
      #expect(await present.next() == serviceName)
    }
  }

  @Test func `departures are seen`() async throws {
    try await BusFixture.with { fixture in
      let departed = Events<String>()
      _ = try await fixture.service.watchDepartures { departed.send($0) }
      let name = await fixture.client.uniqueName
      await fixture.client.close()
      #expect(await departed.next() == name)
    }
  }
}

extension DBusConnection {
  /// Several steps without a pause between them.
  func perform<T: Sendable>(_ body: @Sendable (isolated DBusConnection) -> T) -> T { body(self) }
}

extension BusFixture {
  func outcome(_ member: String) async -> DBusFailure {
    do throws(DBusFailure) {
      _ = try await client.call(method(member), deadline: .seconds(60))
      return .malformed("an answer")
    } catch {
      return error
    }
  }
}

extension DBusFailure {
  var isDisconnection: Bool { if case .disconnected = self { true } else { false } }
}
