import DBus
import EventLoops
import Foundation
import Testing

@testable import metafleet

@Suite struct SimulateCommandTests {
  @Test(arguments: [SIGTERM, SIGINT])
  func `the first line is the bus, boards are there, and nothing is left`(_ signal: Int32) async throws {
    let program = try RunningProgram.start(["simulate", "--boards", "2"])
    let line = try #require(try await program.nextLine())
    #expect(line.hasPrefix("DBUS_SYSTEM_BUS_ADDRESS=unix:"))
    let address = DBusAddress(String(line.drop { $0 != "=" }.dropFirst()))

    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let connection = try await DBusConnection.open(address, on: loop)
    let names = try await connection.call(
      DBusMethodCall(
        to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames"),
      deadline: .seconds(5)
    ).first?.elements
    #expect(names?.contains { $0.text == "org.bluez" } == true)
    await connection.close()

    #expect(try await program.end(with: signal) == 0)
    let path = address.text.dropFirst("unix:path=".count).prefix { $0 != "," }
    let directory = URL(fileURLWithPath: String(path)).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: directory))
  }

  @Test func `a crash leaves no bus behind`() async throws {
    let program = try RunningProgram.start(["simulate", "--boards", "1"])
    let line = try #require(try await program.nextLine())
    let address = DBusAddress(String(line.drop { $0 != "=" }.dropFirst()))
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    let (ends, ended) = AsyncStream<Void>.makeStream()
    let connection = try await DBusConnection.open(address, on: loop) { _ in ended.yield() }
    _ = try await program.end(with: SIGKILL)
    // The bus goes by itself, which cuts this connection.
    _ = await First.value(of: ends)
    await connection.close()
  }

  @Test func `a bus that is not there ends with 69, unknown models with 64`() async throws {
    #expect(try await BuiltProgram.run(["simulate", "--bus", "unix:path=/nowhere"]).status == 69)
    #expect(try await BuiltProgram.run(["simulate", "--models", "x"]).status == 64)
  }
}
