import FleetModel
import Foundation
import Glibc
import Testing

@testable import Web

/// Streams, commands and files of a real server.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HTTPAnswerTests {
  private static let event = StreamMessage(.event, topic: "board/a/event/x", payload: Array("{\"n\":1}".utf8))

  /// A stream that has begun.
  private static func stream(_ rig: ServerRig, _ query: String = "") async throws -> BareClient {
    let client = try rig.client()
    client.send(ServerRig.get("/api/stream" + query))
    let beginning = await client.read(until: ":\n\n")
    #expect(ServerRig.status(beginning) == 200 && beginning.contains("Content-Type: text/event-stream\r\n"))
    #expect(
      beginning.contains("X-Accel-Buffering: no\r\n") && beginning.contains("Cache-Control: no-store\r\n"))
    return client
  }

  @Test func `whoever watches gets what is published as it is published`() async throws {
    try await ServerRig.serving(ServerRig.source()) { (rig) async throws in
      let board = SampleFleet.id(1)
      let (one, other) = (try await Self.stream(rig), try await Self.stream(rig, "?live=\(board)%2C\(board)"))
      let live = StreamMessage(.live(board), topic: "board/\(board)/live/a", payload: Array("{}".utf8))
      rig.server.streams.publish([live, Self.event])
      let text = await one.read(until: "\"n\":1")
      #expect(text.contains("event: event\n") && !text.contains("event: live\n"))
      #expect(await other.read(until: "\"n\":1").contains("event: live\n"))
      rig.server.streams.publish([StreamMessage(.document, topic: "board/a/led", payload: [])])
      #expect(await one.read(until: "null").contains("{\"topic\":\"board/a/led\",\"payload\":null}"))
    }
  }

  @Test func `F239 a stream outlives what ends a request, and more than so many are not begun`() async throws
  {
    try await ServerRig.serving(
      ServerRig.source(),
      within: { ($0.idleSeconds, $0.longestRequest, $0.connectionsPerAddress) = (1, .seconds(1), 64) }
    ) { (rig) async throws in
      var clients: [BareClient] = []
      for _ in 0..<EventStreams.most { clients.append(try await Self.stream(rig)) }
      let half = try rig.client()
      half.send("GET / HTTP/1.1\r\nHost: local")
      // Ended by its age, as streams would be.
      #expect(await half.readAll() == "")
      #expect(try await rig.status(of: ServerRig.get("/api/stream")) == 503)
      rig.server.streams.publish([Self.event])
      for client in clients { #expect(await client.read(until: "\"n\":1").contains("event: event\n")) }
    }
  }

  @Test func `F239 a reader who has left makes room`() async throws {
    try await ServerRig.serving(ServerRig.source(), within: { $0.connectionsPerAddress = 64 }) {
      (rig) async throws in
      for _ in 0..<2 {
        var clients: [BareClient] = []
        while clients.count < EventStreams.most {
          let client = try rig.client()
          client.send(ServerRig.get("/api/stream"))
          // Somebody has left, and that shows within a second.
          if ServerRig.status(await client.read(until: "\r\n\r\n")) == 200 { clients.append(client) }
        }
      }
    }
  }

  @Test func `F239 who does not read costs so many bytes, and holds up nobody`() async throws {
    try await ServerRig.serving(ServerRig.source()) { (rig) async throws in
      let (stalled, reader) = (try await Self.stream(rig), try await Self.stream(rig))
      let large = Array(("\"" + String(repeating: "x", count: 60_000) + "\"").utf8)
      for number in 0..<400 {
        let topic = "board/a/event/\(number)"
        rig.server.streams.publish([StreamMessage(.event, topic: topic, payload: large)])
        #expect(await reader.read(until: "/\(number)\"").contains(topic))
      }
      // What the kernel has taken, what waits for it at most, and then the end.
      let bytes = await stalled.readAll().utf8.count
      #expect(bytes < 400 * 60_000)
    }
  }

  @Test func `a command comes with its rights and its sender, and is answered`() async throws {
    let source = ServerRig.source(answer: { request in
      guard case .command(let body, let rule, let peer) = request else { return .content(.failure(500, "")) }
      let isRight = rule == HTTPCommandRule() && peer == RequestExample.loopback
      return .content(.json(isRight ? 202 : 500, .string(String(decoding: body, as: UTF8.self))))
    })
    try await ServerRig.serving(source) { (rig) async throws in
      let answer = try await rig.ask(ServerRig.command("{\"a\":1}"))
      #expect(ServerRig.status(answer) == 202 && answer.hasSuffix("\"{\\\"a\\\":1}\""))
      let long = "{\"a\":\"" + String(repeating: "x", count: 60_000) + "\"}"
      #expect(try await rig.ask(ServerRig.command(long)).utf8.count > 60_000)
      #expect(try await rig.status(of: ServerRig.command(String(repeating: "x", count: 65_537))) == 413)
      let bare = ServerRig.get("/api/command", method: "POST", ["Content-Length: 0"])
      #expect(try await rig.status(of: bare) == 400)
    }
  }

  @Test func `F237 through a socket a command needs no token, unless somebody hands it on`() async throws {
    let path = "/tmp/metafleet-web-test-\(SampleFleet.unique).sock"
    let headers = ["X-MetaFleet: 1", "Content-Type: application/json", "Content-Length: 2"]
    try await ServerRig.serving(ServerRig.source(), at: .unix(path), hasToken: false) { (rig) async throws in
      let own = ServerRig.get("/api/command", method: "POST", headers) + "{}"
      #expect(try await rig.status(of: own) == 200)
      let handedOn = ServerRig.get("/api/command", method: "POST", headers + ["X-Forwarded-For: ::1"]) + "{}"
      #expect(try await rig.status(of: handedOn) == 403)
    }
  }

  @Test func `an answer of its own is awaited, and given up after a while`() async throws {
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    let source = ServerRig.source(answer: { request in
      if case .question(.sessions(nil)) = request { return .content(.json(200, ["s"])) }
      for await _ in never {}
      return .content(.json(200, []))
    })
    try await ServerRig.serving(source, within: { $0.longestAnswer = .seconds(1) }) { (rig) async throws in
      defer { end.finish() }
      #expect(try await rig.ask(ServerRig.get("/api/sessions")).hasSuffix("[\"s\"]"))
      #expect(try await rig.status(of: ServerRig.get("/api/sessions?board=e5a1c2d3f4b6")) == 503)
      #expect(try await rig.ask(ServerRig.get("/api/documents")).hasSuffix("{\"gateway/gw/info\":{}}"))
      #expect(try await rig.ask(ServerRig.get("/api/verbs")).hasSuffix("[{\"verb\":\"led\",\"http\":true}]"))
    }
  }

  @Test func `a file is sent as it is written, and its writer hears of the end`() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    let (finished, finish) = AsyncStream.makeStream(of: Void.self)
    let source = ServerRig.source(answer: { _ in
      .download(WebDownload(reading, type: "text/csv", name: "a.csv") { finish.finish() })
    })
    try await ServerRig.serving(source) { (rig) async throws in
      let client = try rig.client()
      client.send(ServerRig.get("/api/session/01JDB91TAS8N0M2T5V7X9Z1ABC/samples.csv"))
      #expect(Glibc.write(writing, "first\n", 6) == 6)
      let beginning = await client.read(until: "first\n")
      #expect(beginning.contains("Content-Disposition: attachment; filename=\"a.csv\"\r\n"))
      #expect(Glibc.write(writing, "second\n", 7) == 7)
      close(writing)
      #expect(await client.readAll().contains("second\n"))
      for await _ in finished {}
    }
  }

  @Test func `the page comes once, and then only that it is still the same`() async throws {
    try await ServerRig.serving(ServerRig.source()) { (rig) async throws in
      let page = try await rig.ask(ServerRig.get("/"))
      let tag = try #require(page.firstMatch(of: /ETag: ([^\r]*)/)?.1)
      #expect(ServerRig.status(page) == 200 && page.contains("script-src 'self'"))
      let again = try await rig.ask(ServerRig.get("/", ["If-None-Match: \(tag)"]))
      #expect(ServerRig.status(again) == 304 && again.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func `F238 a token that is wrong by one byte is refused, and the next ones are not looked at`()
    async throws
  {
    try await ServerRig.serving(ServerRig.source()) { (rig) async throws in
      let wrong = RequestExample.secret.dropLast() + "e"
      for status in [401, 401, 401, 401, 401, 429] {
        let request = ServerRig.get("/api/verbs", ["Authorization: Bearer \(wrong)"])
        #expect(try await rig.status(of: request) == status)
      }
      let right = ["Authorization: Bearer \(RequestExample.secret)"]
      #expect(try await rig.status(of: ServerRig.get("/api/verbs", right)) == 429)
      let other = try await rig.ask(ServerRig.get("/api/verbs", right), from: "127.0.0.2")
      #expect(ServerRig.status(other) == 200)
    }
  }
}
