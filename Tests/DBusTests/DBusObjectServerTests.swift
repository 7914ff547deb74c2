import EventLoops
import Glibc
import Support
import Synchronization
import Testing

@testable import DBus

@Suite struct DBusObjectServerTests {
  private func properties(
    _ fixture: BusFixture, _ member: String, _ arguments: [DBusValue]
  ) async throws -> [DBusValue] {
    try await fixture.client.call(
      DBusMethodCall(to: BusFixture.name, "/o", "org.freedesktop.DBus.Properties", member, arguments),
      deadline: .seconds(60))
  }

  @Test func `properties are read set and announced`() async throws {
    try await BusFixture.with { fixture in
      let server = fixture.server
      await server.export(
        [
          DBusInterface(
            "test.I", properties: ["Name": .string("n"), "Powered": .boolean(false)],
            setters: [
              "Powered": { value, invocation in
                server.assumeIsolated { $0.change("/o", "test.I", set: ["Powered": value]) }
                invocation.reply()
              }
            ])
        ], at: "/o")
      #expect(
        try await properties(fixture, "GetAll", [.string("test.I")])
          == [.properties(["Name": .string("n"), "Powered": .boolean(false)])])
      let changes = Events<[DBusValue]>()
      _ = try await fixture.client.listen(to: DBusMatchRule(member: "PropertiesChanged")) {
        changes.send($0.arguments)
      }
      _ = try await properties(
        fixture, "Set", [.string("test.I"), .string("Powered"), .variant(.boolean(true))])
      #expect(
        await changes.next() == [.string("test.I"), .properties(["Powered": .boolean(true)]), .strings([])])
      await server.change("/o", "test.I", invalidate: ["Name"])
      #expect(await changes.next() == [.string("test.I"), .properties([:]), .strings(["Name"])])
      await server.change("/o", "test.I", set: ["Powered": .boolean(false)], silently: true)
      #expect(
        try await properties(fixture, "Get", [.string("test.I"), .string("Powered")]) == [
          .variant(.boolean(false))
        ])
    }
  }

  @Test(arguments: [
    ("Get", [DBusValue.string("test.I"), .string("Nothing")], "UnknownProperty"),
    ("GetAll", [.string("test.Nothing")], "UnknownInterface"),
    ("Set", [.string("test.I"), .string("Name"), .variant(.string("x"))], "PropertyReadOnly"),
    ("Set", [.string("test.I"), .string("Flag"), .variant(.string("x"))], "InvalidArgs"),
    ("Get", [.string("test.I")], "UnknownMethod"), ("Get", [.byte(1), .byte(2)], "UnknownMethod"),
    ("Nonsense", [], "UnknownMethod"),
  ])
  func `wrong property calls are refused`(member: String, arguments: [DBusValue], error: String) async throws
  {
    try await BusFixture.with { fixture in
      await fixture.server.export(
        [
          DBusInterface(
            "test.I", properties: ["Name": .string("n"), "Flag": .boolean(false)],
            setters: ["Flag": { _, invocation in invocation.reply() }])
        ], at: "/o")
      let failure = await #expect(throws: DBusFailure.self) {
        try await properties(fixture, member, arguments)
      }
      #expect(failure?.errorName == "org.freedesktop.DBus.Error.\(error)")
    }
  }

  @Test func `calls to what is not there are refused in the words of the library`() async throws {
    try await BusFixture.with { fixture in
      await fixture.serve(DBusMethod("Do", takes: "s") { $0.reply() })
      let text = "Method \"Do\" with signature \"\" on interface \"test.I\" doesn't exist\n"
      await #expect(throws: DBusFailure.unknownMethod(text)) { try await fixture.call("Do") }
      await fixture.server.remove(at: "/o")
      await #expect(throws: DBusFailure.unknownObject(text)) { try await fixture.call("Do") }
    }
  }

  @Test func `objects are managed and announced`() async throws {
    try await BusFixture.with { fixture in
      let announced = Events<DBusSignal>()
      _ = try await fixture.client.listen(to: DBusMatchRule(interface: "org.freedesktop.DBus.ObjectManager"))
      {
        announced.send($0)
      }
      await fixture.server.export([DBusInterface("test.I", properties: ["X": .byte(1)])], at: "/a/b")
      let added = try #require(await announced.next())
      #expect(
        added.member == "InterfacesAdded" && added.path == "/" && added.arguments[0] == .objectPath("/a/b"))
      #expect(added.arguments[1].namedValues?["test.I"] == .properties(["X": .byte(1)]))
      let objects = try await fixture.client.call(
        DBusMethodCall(to: BusFixture.name, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"),
        deadline: .seconds(60))
      #expect(objects.first?.namedValues?["/a/b"] == added.arguments[1])
      await fixture.server.remove(["test.I"], at: "/a/b")
      let removed = try #require(await announced.next())
      #expect(removed.member == "InterfacesRemoved")
      #expect(removed.arguments == [.objectPath("/a/b"), .strings(["test.I"])])
    }
  }

  @Test func `descriptors travel and are not leaked`() async throws {
    try await BusFixture.with { fixture in
      let kept = Mutex<Int32>(-1)
      await fixture.serve(
        DBusMethod("Acquire", gives: "hq") { invocation in
          guard let pair = try? PacketSockets() else { return }
          kept.withLock { $0 = pair.near }
          invocation.reply([.descriptor(DBusDescriptor(owning: pair.far)), .uint16(247)])
        })
      let answer = try await fixture.call("Acquire")
      #expect(answer.last == .uint16(247))
      let received = try #require(answer.first?.descriptor?.take())
      let ours = kept.withLock { $0 }
      #expect(write(ours, "abc", 3) == 3)
      var buffer: [UInt8] = Array(repeating: 0, count: 16)
      #expect(read(received, &buffer, 16) == 3)
      close(received)
      // Nobody else holds the other end any more, neither the message nor the bus.
      #expect(waitForEnd(of: ours))
      close(ours)
    }
  }

  @Test func `descriptors of unclaimed messages are closed`() async throws {
    try await BusFixture.with { fixture in
      let pair = try PacketSockets()
      await fixture.serve(DBusMethod("Take", takes: "h") { $0.reply() })
      _ = try await fixture.call("Take", [.descriptor(DBusDescriptor(owning: pair.far))])
      #expect(waitForEnd(of: pair.near))
      close(pair.near)
    }
  }

  /// Waits for the other end to be closed everywhere: for ever if a copy stays open.
  private func waitForEnd(of descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&entry, 1, -1) == 1 && read(descriptor, &byte, 1) == 0
  }

  @Test func `introspection leads from the root to the object`() async throws {
    try await BusFixture.with { fixture in
      await fixture.server.export([DBusInterface("test.I", methods: [DBusMethod("Do") { _ in }])], at: "/a/b")
      for (path, expected) in [("/", #"<node name="a"/>"#), ("/a", #"<node name="b"/>"#), ("/a/b", "test.I")]
      {
        let answer = try await fixture.client.call(
          DBusMethodCall(to: BusFixture.name, path, "org.freedesktop.DBus.Introspectable", "Introspect"),
          deadline: .seconds(60))
        #expect(answer.first?.text?.contains(expected) == true)
      }
    }
  }

  @Test func `values that cannot be sent are reported and not sent`() async throws {
    try await BusFixture.with { fixture in
      let faults = Events<DBusFailure>()
      let server = await DBusObjectServer.start(on: fixture.service, onFault: { faults.send($0) })
      await server.emit(DBusSignal("/", "test.I", "Bad", [.string("\0")]))
      #expect(await faults.next() == .notSendable("a string with a NUL in it"))
      await fixture.serve(DBusMethod("Bad") { $0.reply([.objectPath("bad")]) })
      await #expect(throws: DBusFailure.self) { try await fixture.call("Bad") }
    }
  }
}
