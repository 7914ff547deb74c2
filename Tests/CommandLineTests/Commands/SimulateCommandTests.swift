import DBus
import EventLoops
import FleetModel
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

  @Test func `lines come from a broker, each is answered, and one that is retained is not obeyed`()
    async throws
  {
    try await ClientRig.with { rig in
      try await rig.publish(["simulator/do": "press 1"])
      try await ClientSession.with(rig.settings) { session in
        try await session.subscribe(to: ["metafleet/simulator/done"], .atLeastOnce)
        let program = try RunningProgram.start(
          ["simulate", "--boards", "2", "--mqtt"], environment: rig.environment)
        var answers: [String] = []
        for await event in session.events {
          guard case .message(let message) = event else { continue }
          answers.append(String(decoding: message.payload, as: UTF8.self))
          if answers.count == 1 {
            // It listens.
            await session.publish(
              MQTTMessage(topic: "metafleet/simulator/do", payload: Array("press 1 for 200ms\ndrop 9".utf8)))
          }
          if answers.count == 3 { break }
        }
        #expect(answers.count == 3 && answers[0].contains("retained messages are not obeyed"))
        #expect(answers[1].contains(#""line":"press 1 for 200ms","ok":true"#))
        #expect(answers[2].contains(#""line":"drop 9","ok":false"#))
        #expect(try await program.end(with: SIGTERM) == 0)
      }
    }
  }

  @Test func `a broker that is not there ends with 69`() async throws {
    let ending = try await BuiltProgram.run(["simulate", "--boards", "1", "--mqtt", "--port", "1"])
    #expect(ending.status == 69)
  }

  @Test func `for programs there are objects, and a recording of what boards do`() async throws {
    try await withScratchDirectory { directory in
      let (script, recording) = (directory.appending(path: "script"), directory.appending(path: "recording"))
      try "at 0s press 1 for 1ms\n".write(to: script, atomically: true, encoding: .utf8)
      let program = try RunningProgram.start([
        "simulate", "--boards", "2", "--json", "--script", script.path, "--recording", recording.path,
      ])
      let first = try StrictJSON.parse(Array((try #require(try await program.nextLine())).utf8)).object
      #expect(first?["bus"]?.string?.hasPrefix("unix:") == true)
      #expect(first?["boards"]?.array?.count == 2 && first?["adapters"]?.array?.count == 1)
      let press = try #require(try await program.nextLine())
      let release = try #require(try await program.nextLine())
      #expect(press.hasSuffix(#""command":"press","boards":["c0ffee000001"]}"#))
      #expect(release.hasSuffix(#""command":"release","boards":["c0ffee000001"]}"#))
      #expect(try await program.end(with: SIGTERM) == 0)
      let recorded = try String(contentsOf: recording, encoding: .utf8)
      #expect(recorded == "\(press)\n\(release)\n", "nobody listened to anything")
    }
  }

  @Test func `a radio quality that is none is a usage failure`() async throws {
    let ending = try await BuiltProgram.run(["simulate", "--radio", "farr"])
    #expect(ending.status == 64 && ending.errors.contains("did you mean far?"))
  }

  @Test func `a script with bad lines ends with 78, and names them`() async throws {
    try await withScratchDirectory { directory in
      let script = directory.appending(path: "faults")
      try "drop 1\ncrash 2\ndrop 9\n".write(to: script, atomically: true, encoding: .utf8)
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
