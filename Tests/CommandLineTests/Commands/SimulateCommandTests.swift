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

  @Test
  func `a script is played, and standard input obeyed; a bad line is told and the end of input is no end`()
    async throws
  {
    try await withScratchDirectory { directory in
      let (script, input) = (directory.appending(path: "faults"), directory.appending(path: "input"))
      try "at 0s adapter removed\n".write(to: script, atomically: true, encoding: .utf8)
      mkfifo(input.path, 0o600)
      // For both directions, so that nobody waits for the other to open it.
      let speaker = try #require(FileHandle(forUpdatingAtPath: input.path))
      let program = try RunningProgram.start(
        [
          "-c", #"exec "$0" simulate --boards 2 --script "$1" < "$2" 2>&1"#, BuiltProgram.url.path,
          script.path,
          input.path,
        ], path: "/bin/sh")
      let line = try #require(try await program.nextLine())
      let address = DBusAddress(String(line.drop { $0 != "=" }.dropFirst()))
      let loop = try EventLoop(name: "test")
      defer { loop.stop() }
      let connection = try await DBusConnection.open(address, on: loop)
      let (news, told) = AsyncStream<String>.makeStream()
      _ = try await connection.listen(
        to: DBusMatchRule(sender: "org.bluez", interface: "org.freedesktop.DBus.ObjectManager")
      ) { told.yield($0.arguments.first?.text ?? "") }
      try speaker.write(contentsOf: Data("adapter no\nadapter back\n".utf8))
      #expect(await First.value(of: news) == "/org/bluez/hci0")
      var complaint = try await program.nextLine()
      while let text = complaint, !text.contains("line 1") { complaint = try await program.nextLine() }
      #expect(complaint?.contains("expected: adapter off|blocked|removed|renumbered|back") == true)
      try speaker.close()
      // Still there after its input has ended.
      let names = try await connection.call(
        DBusMethodCall(
          to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
          [.string("org.bluez")]), deadline: .seconds(5))
      #expect(names.first?.text?.hasPrefix(":") == true)
      await connection.close()
      #expect(try await program.end(with: SIGTERM) == 0)
    }
  }

  @Test func `a script with bad lines ends with 78, and names them`() async throws {
    try await withScratchDirectory { directory in
      let script = directory.appending(path: "faults")
      try "drop 1\nfall 2\ndrop 9\n".write(to: script, atomically: true, encoding: .utf8)
      let ending = try await BuiltProgram.run(["simulate", "--boards", "2", "--script", script.path])
      #expect(ending.status == 78 && ending.output.isEmpty)
      #expect(
        ending.errors.contains("line 2: there is no command") && ending.errors.contains("line 3: \"9\""))
    }
  }

  @Test func `a bus that is not there ends with 69, unknown models with 64`() async throws {
    #expect(try await BuiltProgram.run(["simulate", "--bus", "unix:path=/nowhere"]).status == 69)
    #expect(try await BuiltProgram.run(["simulate", "--models", "x"]).status == 64)
  }
}
