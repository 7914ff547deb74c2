import FleetModel
import Testing

@testable import Web

/// The real server on a port of loopback.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HTTPServerTests {
  private typealias Change = ServerRig.Change

  private static func serving(
    boards: Int = 2, within change: Change = { _ in },
    snapshot: (@Sendable () async -> FleetSnapshot)? = nil, _ body: (ServerRig) async throws -> Void
  ) async throws {
    let source = ServerRig.source(snapshot: snapshot ?? { SampleFleet.snapshot(boards: boards) })
    try await ServerRig.serving(source, within: change, body)
  }

  @Test func `pages are served with their type and protection`() async throws {
    try await Self.serving { (rig) async throws in
      let metrics = try await rig.ask(ServerRig.get("/metrics?a=b"))
      #expect(ServerRig.status(metrics) == 200)
      #expect(metrics.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
      #expect(metrics.contains("Content-Security-Policy: default-src 'none'"))
      #expect(metrics.contains("\nmetafleet_boards_not_listed 0\n"))
      #expect(try await rig.ask(ServerRig.get("/status")).contains("<td>Board 1</td>"))
      #expect(try await rig.ask(ServerRig.get("/healthz")).hasSuffix("\r\n\r\nok\n"))
      #expect(try await rig.status(of: ServerRig.get("/readyz")) == 503)
      #expect(try await rig.status(of: ServerRig.get("/style.css")) == 200)
    }
  }

  @Test func `HEAD is answered without content, whatever the page`() async throws {
    try await Self.serving { (rig) async throws in
      for page in Page.allCases {
        let answer = try await rig.ask(ServerRig.get(page.rawValue, method: "HEAD"))
        #expect(answer.hasSuffix("\r\n\r\n") && !answer.contains("Content-Length: 0\r\n"), "\(page)")
      }
    }
  }

  @Test func `F225 who asks for another name, or none, is refused`() async throws {
    try await Self.serving { (rig) async throws in
      for path in ["/metrics", "/nothing"] {
        #expect(try await rig.status(of: ServerRig.get(path, host: "evil.com")) == 421)
        #expect(try await rig.status(of: "GET \(path) HTTP/1.0\r\n\r\n") == 400)
      }
      let two = "GET / HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n"
      #expect(try await rig.status(of: two) == 400)
      #expect(try await rig.status(of: ServerRig.get("/nothing")) == 404)
      #expect(try await rig.status(of: ServerRig.get("/metrics%00")) == 404)
      #expect(try await rig.status(of: ServerRig.get("/", method: "POST")) == 405)
      let body = "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab"
      #expect(try await rig.status(of: body) == 413)
    }
  }

  @Test func `F226 headers larger than a connection's memory are refused`() async throws {
    try await Self.serving { (rig) async throws in
      let client = try rig.client()
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: \(String(repeating: "x", count: 32_768))")
      #expect(await ServerRig.status(from: client) == 431)
      let insistent = try rig.client()
      let isTaken = insistent.send("GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 3_000_000))\r\n\r\n")
      let refusal = await insistent.readAll()
      #expect(!isTaken || ServerRig.status(refusal) != 200)
      #expect(try await rig.status(of: ServerRig.get("/healthz")) == 200)
    }
  }

  @Test func `F226 three hundred half requests of one address leave room for others`() async throws {
    try await Self.serving(within: { $0.idleSeconds = 600 }) { (rig) async throws in
      let halves = (0..<300).compactMap { _ in try? rig.client() }
      for half in halves { half.send("GET / HTTP/1.1\r\nHost: local") }
      let answer = try await rig.ask(ServerRig.get("/healthz"), from: "127.0.0.2")
      #expect(ServerRig.status(answer) == 200)
    }
  }

  @Test func `F227 half a request ends by itself, also one that goes on and on`() async throws {
    for limits in [{ $0.idleSeconds = 1 }, { $0.longestRequest = .seconds(1) }] as [Change] {
      try await Self.serving(within: {
        ($0.idleSeconds, $0.longestRequest) = (600, .seconds(600))
        limits(&$0)
      }) { (rig) async throws in
        let half = try rig.client()
        half.send("GET / HTTP/1.1\r\nHost: local")
        #expect(await half.readAll() == "")
      }
    }
  }

  @Test func `of requests in a row the first is answered, and the connection ends`() async throws {
    try await Self.serving { (rig) async throws in
      let answer = try await rig.ask(ServerRig.get("/healthz") + ServerRig.get("/style.css"))
      #expect(answer.ranges(of: "HTTP/1.1 200").count == 1 && answer.hasSuffix("ok\n"))
    }
  }

  @Test func `F227 who does not read holds up nobody`() async throws {
    try await Self.serving(boards: 1_000) { (rig) async throws in
      let slow = try rig.client()
      slow.send(ServerRig.get("/metrics"))
      #expect(try await rig.status(of: ServerRig.get("/metrics")) == 200)
      #expect(await ServerRig.status(from: slow) == 200)
    }
  }

  @Test func `F229 a gateway that does not answer is told of after a while, and health at once`()
    async throws
  {
    let (never, end) = AsyncStream.makeStream(of: Void.self)
    try await Self.serving(
      within: { $0.longestWait = .seconds(1) },
      snapshot: {
        for await _ in never {}
        return SampleFleet.snapshot(boards: 0)
      }
    ) { (rig) async throws in
      defer { end.finish() }
      let waiting = try rig.client()
      waiting.send(ServerRig.get("/readyz"))
      #expect(try await rig.status(of: ServerRig.get("/healthz")) == 200)
      let answer = await waiting.readAll()
      #expect(ServerRig.status(answer) == 503 && answer.contains("has not answered for 1 s"))
    }
  }

  @Test func `a socket in the file system serves as well, and goes with the server`() async throws {
    let path = "/tmp/metafleet-web-test-\(SampleFleet.unique).sock"
    try await ServerRig.serving(ServerRig.source(), at: .unix(path)) { (rig) async throws in
      #expect(try await rig.status(of: ServerRig.get("/healthz")) == 200)
    }
    #expect(BareClient(path: path) == nil)
  }
}
