import DBus
import EventLoops
import Support
import Synchronization

/// A private bus with a service on it and a client of it, each on a loop of its own.
struct BusFixture {
  let bus: PrivateBus
  let clientLoop: EventLoop
  let client: DBusConnection
  let service: DBusConnection
  let server: DBusObjectServer
  /// Why the client's connection ended.
  let clientEnded: Events<DBusFailure>

  static let name = "test.Service"

  static func with(_ body: (BusFixture) async throws -> Void) async throws {
    let (clientLoop, serviceLoop) = (try EventLoop(name: "client"), try EventLoop(name: "service"))
    defer {
      clientLoop.stop()
      serviceLoop.stop()
    }
    try await PrivateBus.with { bus in
      let service = try await DBusConnection.open(bus.address, on: serviceLoop)
      let server = await DBusObjectServer.start(on: service)
      try await service.requestName(name)
      let clientEnded = Events<DBusFailure>()
      let client = try await DBusConnection.open(bus.address, on: clientLoop) { clientEnded.send($0) }
      let fixture = BusFixture(
        bus: bus, clientLoop: clientLoop, client: client, service: service, server: server,
        clientEnded: clientEnded)
      try await body(fixture)
      await client.close()
      await service.close()
    }
  }

  /// An object at "/o" with one interface, "test.I", with these methods.
  func serve(_ methods: DBusMethod...) async {
    await server.export([DBusInterface("test.I", methods: methods)], at: "/o")
  }

  func call(
    _ member: String, _ arguments: [DBusValue] = [], deadline: Duration = .seconds(60)
  ) async throws -> [DBusValue] {
    try await client.call(method(member, arguments), deadline: deadline)
  }

  func method(_ member: String, _ arguments: [DBusValue] = []) -> DBusMethodCall {
    DBusMethodCall(to: Self.name, "/o", "test.I", member, arguments)
  }
}

/// What callbacks saw, to be awaited one by one.
final class Events<Element: Sendable>: Sendable {
  private let stream = AsyncStream<Element>.makeStream()

  func send(_ element: Element) { stream.continuation.yield(element) }

  /// For one task at a time.
  func next() async -> Element? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }
}
