import EventLoops
import Foundation
import Glibc
import Logging
import Testing

@testable import metafleet

/// The real socket, and a script in the place of the program.
@Suite(.timeLimit(.minutes(20))) struct ArchiveServiceTests {
  /// Serves while `body` runs, which gets the path of the socket.
  private static func serving(
    _ script: String, longestSilence: Duration = .seconds(600), _ body: (String) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "archive")
    defer { loop.stop() }
    let directory = try await ScratchDirectory.make("metafleet-archive", on: loop)
    let program = try directory.write("#!/bin/sh\n" + script, to: "program")
    chmod(program, 0o700)
    let service = try #require(
      ArchiveService(
        on: loop, configurationFile: "/etc/metafleet/metafleet.yaml", directory: "/var/lib/metafleet",
        log: Logger(label: "test"), environment: ["RUNTIME_DIRECTORY": directory.path, "SECRET": "1"],
        program: program, longestSilence: longestSilence))
    let path = directory.path + "/" + ArchiveSocket.name
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { await service.run() }
        while ArchiveSocket.state(at: path) != .open { await Task.yield() }
        try await body(path)
        group.cancelAll()
      }
    } catch {
      await directory.stop()
      throw error
    }
    #expect(ArchiveSocket.state(at: path) == .missing)
    await directory.stop()
  }

  /// Somebody who asks, with ends of his own of what the command writes to.
  private struct Client {
    let socket: Int32
    let output, errors: (read: Int32, write: Int32)

    init(at path: String) throws {
      func pair() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (ends[0], ends[1])
      }
      (output, errors) = (try pair(), try pair())
      socket = try ArchiveSocket.connected(to: path)
    }

    func ask(_ words: String..., with descriptors: [Int32]? = nil) {
      let request = ArchiveRequest(arguments: words, environment: ["TERM": "dumb"])
      #expect(
        ArchiveSocket.send(request.line, with: descriptors ?? [output.write, errors.write], to: socket))
      close(output.write)
      close(errors.write)
    }

    /// All that comes on a descriptor until its end, or the first `most` bytes. On a thread of its own, as it blocks.
    func text(_ descriptor: Int32, atMost most: Int = .max) async -> String {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          var (bytes, byte): ([UInt8], UInt8) = ([], 0)
          while bytes.count < most, read(descriptor, &byte, 1) == 1 { bytes.append(byte) }
          continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
        }
      }
    }

    func reply() async -> ArchiveReply? { ArchiveReply(line: Array(await text(socket).utf8)) }
  }

  @Test func `F249 a command runs with the descriptors of whoever asked, and its status is the answer`()
    async throws
  {
    try await Self.serving(#"echo "$@"; env | sort; echo oh >&2; exit 3"#) { path in
      let client = try Client(at: path)
      client.ask("sessions", "Pump 3", "--json")
      #expect(await client.reply() == ArchiveReply(status: 3))
      let lines = await client.text(client.output.read).split(separator: "\n").filter {
        !$0.hasPrefix("PWD=")
      }
      #expect(
        lines == [
          "sessions Pump 3 --json", "METAFLEET_CONFIG=/etc/metafleet/metafleet.yaml",
          "METAFLEET_RESULT_DESCRIPTOR=3",
          "STATE_DIRECTORY=/var/lib/metafleet", "TERM=dumb",
        ])
      #expect(await client.text(client.errors.read) == "oh\n")
    }
  }

  @Test func `F249 the file of a result is the third descriptor`() async throws {
    try await Self.serving("echo rows >&3") { path in
      let client = try Client(at: path)
      var ends: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      client.ask(
        "export", "x", "--output", "a.csv", with: [client.output.write, client.errors.write, ends[1]])
      close(ends[1])
      #expect(await client.reply() == ArchiveReply(status: 0))
      #expect(await client.text(ends[0]) == "rows\n")
    }
  }

  @Test func `F249 without one nothing can be written there, and nothing else of the gateway is handed on`()
    async throws
  {
    let stray = open("/dev/null", O_RDONLY)
    defer { close(stray) }
    #expect(stray > 4)
    try await Self.serving("echo rows >&3 || echo refused; ls /proc/$$/fd") { path in
      let client = try Client(at: path)
      client.ask("export", "x", "--output", "a.csv")
      #expect(await client.reply() == ArchiveReply(status: 0))
      let words = await client.text(client.output.read).split(whereSeparator: \.isWhitespace)
      // A shell keeps its script open at 10.
      #expect(words == ["refused", "0", "1", "10", "2", "3", "4"], "\(words)")
    }
  }

  @Test func `F249 what is no command for the archive is refused, and not run`() async throws {
    try await Self.serving("echo ran") { path in
      let client = try Client(at: path)
      client.ask("sessions", "delete", "--all", "--yes")
      #expect(await client.reply()?.status == 64)
      #expect(await client.text(client.output.read) == "")
    }
  }

  @Test func `a command ends when whoever asked hangs up`() async throws {
    try await Self.serving("echo begun; exec sleep 1000") { path in
      let client = try Client(at: path)
      client.ask("events", "--follow")
      #expect(await client.text(client.output.read, atMost: 1) == "b")
      close(client.socket)
      _ = await client.text(client.output.read)
    }
  }

  @Test func `who says nothing is told so, and holds up nobody`() async throws {
    try await Self.serving("exit 0", longestSilence: .milliseconds(1)) { path in
      let silent = try Client(at: path)
      #expect(await silent.reply()?.status == 64)
    }
  }

  @Test func `one more than there may be is told to try again`() async throws {
    try await Self.serving("echo begun; exec sleep 1000") { path in
      var clients: [Client] = []
      for _ in 0..<ArchiveService.most {
        let client = try Client(at: path)
        client.ask("events", "--follow")
        #expect(await client.text(client.output.read, atMost: 1) == "b")
        clients.append(client)
      }
      let late = try Client(at: path)
      #expect(await late.reply()?.status == 75)
      for client in clients { close(client.socket) }
    }
  }

  @Test func `only owner and group may use the socket`() async throws {
    try await Self.serving("exit 0") { path in
      var about = stat()
      #expect(stat(path, &about) == 0 && about.st_mode & 0o777 == 0o660)
    }
  }

  @Test func `descriptors beyond the third are closed`() throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(ArchiveSocket.send([1], with: [ends[0], ends[0], ends[0]], to: ends[0]))
    #expect(ArchiveSocket.send([2], with: [ends[0]], to: ends[0]))
    var (bytes, descriptors): ([UInt8], [Int32]) = ([], [])
    while bytes.count < 2 { #expect(ArchiveSocket.receive(&bytes, &descriptors, from: ends[1])) }
    #expect(bytes == [1, 2] && descriptors.count == 3)
    for descriptor in descriptors { close(descriptor) }
  }
}
