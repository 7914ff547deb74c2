import EventLoops
import FleetModel
import Testing

@testable import Web

/// The real server on a port of loopback.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HTTPServerTests {
  private typealias Change = (inout ServerLimits) -> Void

  private static func serving(
    boards: Int = 2, at address: ListenAddress = .internet("127.0.0.1", port: 0),
    within change: Change = { _ in },
    snapshot: (@Sendable () async -> FleetSnapshot)? = nil, _ body: (ListenAddress) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "web-test")
    defer { loop.stop() }
    let progress = LoopProgress()
    progress.follow(loop)
    var limits = ServerLimits()
    change(&limits)
    var configuration = HTTPConfiguration()
    configuration.listen = address
    let server = HTTPServer(configuration, on: loop, progress: progress, within: limits)
    let report = await server.proceed(at: .zero)
    async let serving: Void = server.run(snapshot ?? { SampleFleet.snapshot(boards: boards) })
    do {
      guard case .listening(let place) = report.change else {
        throw ListenFailure("\(address)", "no", advice: "")
      }
      try await body(place)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    await serving
  }

  private static func port(_ address: ListenAddress) throws -> UInt16 {
    if case .internet(_, let port) = address { return port }
    throw ListenFailure("here", "no port", advice: "none")
  }

  private static func ask(
    _ request: String, _ address: ListenAddress, from source: String = "127.0.0.1"
  ) async throws -> String {
    let client = try #require(BareClient(port: try port(address), from: source))
    client.send(request)
    return await client.readAll()
  }

  private static func get(_ path: String, host: String = "localhost", method: String = "GET") -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
  }

  private static func status(of request: String, _ address: ListenAddress) async throws -> Int? {
    status(try await ask(request, address))
  }

  private static func status(from client: BareClient) async -> Int? { status(await client.readAll()) }

  private static func status(_ answer: String) -> Int? {
    answer.hasPrefix("HTTP/1.1 ") ? Int(answer.dropFirst(9).prefix(3)) : nil
  }

  @Test func `pages are served with their type and protection`() async throws {
    try await Self.serving { (address) async throws in
      let metrics = try await Self.ask(Self.get("/metrics?a=b"), address)
      #expect(Self.status(metrics) == 200)
      #expect(metrics.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
      #expect(metrics.contains("Content-Security-Policy: default-src 'none'"))
      #expect(metrics.contains("\nmetafleet_boards_not_listed 0\n"))
      #expect(try await Self.ask(Self.get("/"), address).contains("<td>Board 1</td>"))
      #expect(try await Self.ask(Self.get("/healthz"), address).hasSuffix("\r\n\r\nok\n"))
      #expect(try await Self.status(of: Self.get("/readyz"), address) == 503)
      #expect(try await Self.status(of: Self.get("/style.css"), address) == 200)
    }
  }

  @Test func `HEAD is answered without content, whatever the page`() async throws {
    try await Self.serving { (address) async throws in
      for page in Page.allCases {
        let answer = try await Self.ask(Self.get(page.rawValue, method: "HEAD"), address)
        #expect(answer.hasSuffix("\r\n\r\n") && !answer.contains("Content-Length: 0\r\n"), "\(page)")
      }
    }
  }

  @Test func `F225 who asks for another name, or none, is refused`() async throws {
    try await Self.serving { (address) async throws in
      for path in ["/metrics", "/nothing"] {
        #expect(try await Self.status(of: Self.get(path, host: "evil.com"), address) == 421)
        #expect(try await Self.status(of: "GET \(path) HTTP/1.0\r\n\r\n", address) == 400)
      }
      let two = "GET / HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n"
      #expect(try await Self.status(of: two, address) == 400)
      #expect(try await Self.status(of: Self.get("/nothing"), address) == 404)
      #expect(try await Self.status(of: Self.get("/metrics%00"), address) == 404)
      #expect(try await Self.status(of: Self.get("/", method: "POST"), address) == 405)
      let body = "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab"
      #expect(try await Self.status(of: body, address) == 413)
    }
  }

  @Test func `F226 headers larger than a connection's memory are refused`() async throws {
    try await Self.serving { (address) async throws in
      let client = try #require(BareClient(port: try Self.port(address)))
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: \(String(repeating: "x", count: 32_768))")
      #expect(await Self.status(from: client) == 431)
      let insistent = try #require(BareClient(port: try Self.port(address)))
      let isTaken = insistent.send("GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 3_000_000))\r\n\r\n")
      let refusal = await insistent.readAll()
      #expect(!isTaken || Self.status(refusal) != 200)
      #expect(try await Self.status(of: Self.get("/healthz"), address) == 200)
    }
  }

  @Test func `F226 three hundred half requests of one address leave room for others`() async throws {
    try await Self.serving(within: { $0.idleSeconds = 600 }) { (address) async throws in
      let port = try Self.port(address)
      let halves = (0..<300).compactMap { _ in BareClient(port: port) }
      for half in halves { half.send("GET / HTTP/1.1\r\nHost: local") }
      let answer = try await Self.ask(Self.get("/healthz"), address, from: "127.0.0.2")
      #expect(Self.status(answer) == 200)
    }
  }

  @Test func `F227 half a request ends by itself, also one that goes on and on`() async throws {
    for limits in [{ $0.idleSeconds = 1 }, { $0.longestRequest = .seconds(1) }] as [Change] {
      try await Self.serving(within: {
        ($0.idleSeconds, $0.longestRequest) = (600, .seconds(600))
        limits(&$0)
      }) { (address) async throws in
        let half = try #require(BareClient(port: try Self.port(address)))
        half.send("GET / HTTP/1.1\r\nHost: local")
        #expect(await half.readAll() == "")
      }
    }
  }

  @Test func `of requests in a row the first is answered, and the connection ends`() async throws {
    try await Self.serving { (address) async throws in
      let answer = try await Self.ask(Self.get("/healthz") + Self.get("/style.css"), address)
      #expect(answer.ranges(of: "HTTP/1.1 200").count == 1 && answer.hasSuffix("ok\n"))
    }
  }

  @Test func `F227 who does not read holds up nobody`() async throws {
    try await Self.serving(boards: 1_000) { (address) async throws in
      let slow = try #require(BareClient(port: try Self.port(address)))
      slow.send(Self.get("/metrics"))
      #expect(try await Self.status(of: Self.get("/metrics"), address) == 200)
      #expect(await Self.status(from: slow) == 200)
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
    ) { (address) async throws in
      defer { end.finish() }
      let waiting = try #require(BareClient(port: try Self.port(address)))
      waiting.send(Self.get("/readyz"))
      #expect(try await Self.status(of: Self.get("/healthz"), address) == 200)
      let answer = await waiting.readAll()
      #expect(Self.status(answer) == 503 && answer.contains("has not answered for 1 s"))
    }
  }

  @Test func `a socket in the file system serves as well, and goes with the server`() async throws {
    let path = "/tmp/metafleet-web-test-\(SampleFleet.unique).sock"
    try await Self.serving(at: .unix(path)) { _ async throws in
      let client = try #require(BareClient(path: path))
      client.send(Self.get("/healthz"))
      #expect(await Self.status(from: client) == 200)
    }
    #expect(BareClient(path: path) == nil)
  }
}
