import EventLoops
import FleetModel
import Glibc
import Testing

@testable import Web

/// The real server whose place changes while it serves.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ListenChangeTests {
  private static func configuration(_ listen: ListenAddress?) -> HTTPConfiguration {
    var configuration = HTTPConfiguration()
    configuration.listen = listen
    return configuration
  }

  private static func place(_ report: ListenReport) throws -> ListenAddress {
    guard case .listening(let address) = report.change else {
      throw ListenFailure("here", report.trouble ?? "nothing is served", advice: "none")
    }
    return address
  }

  private static func port(_ address: ListenAddress) throws -> UInt16 {
    if case .internet(_, let port) = address { return port }
    throw ListenFailure("here", "no port", advice: "none")
  }

  /// A port that the kernel gives nobody who asks for any: else another test could have it while nobody listens there.
  private static func uncontestedPort() throws -> ListenAddress {
    let first = 10_000 + UInt16(getpid() % 10_000)
    let port = try #require(
      (first...first + 100).first { port in
        guard let socket = try? ListenSocket.open(.internet("0.0.0.0", port: port), mode: "") else {
          return false
        }
        close(socket.descriptor)
        return true
      })
    return .internet("127.0.0.1", port: port)
  }

  /// A server at `address`, and where it listens then.
  private static func serving(
    at address: ListenAddress, _ body: (HTTPServer, ListenAddress) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "web-change")
    defer { loop.stop() }
    let server = HTTPServer(configuration(address), on: loop, progress: LoopProgress())
    do {
      try await body(server, try place(await server.proceed(at: .zero)))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// The status that a request for health is answered with; nil where nobody listens.
  private static func health(_ address: ListenAddress, host: String = "localhost") async throws -> Int? {
    let client =
      switch address {
      case .internet(_, let port): BareClient(port: port)
      case .unix(let path): BareClient(path: path)
      }
    guard let client else { return nil }
    client.send("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    return Int(await client.readAll().dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  @Test func `F202 another address serves at once, and the old one no more`() async throws {
    try await Self.serving(at: .internet("127.0.0.1", port: 0)) { (server, old) async throws in
      #expect(try await Self.health(old) == 200)
      let path = ListenAddress.unix("/tmp/metafleet-change-\(SampleFleet.unique).sock")
      let new = try Self.place(await server.change(to: Self.configuration(path), at: .zero))
      #expect(try await Self.health(new) == 200)
      #expect(try await Self.health(old) == nil)
      _ = try Self.place(await server.change(to: Self.configuration(old), at: .zero))
      #expect(try await Self.health(old) == 200)
      #expect(try await Self.health(new) == nil)
    }
  }

  @Test func `F202 what cannot be had is told once, and the old place serves on until it can`() async throws {
    try await Self.serving(at: .internet("127.0.0.1", port: 0)) { (server, old) async throws in
      let taken = try ListenSocket.open(.internet("127.0.0.1", port: 0), mode: "")
      let report = await server.change(to: Self.configuration(taken.address), at: .zero)
      #expect(report.trouble?.contains("another program has it") == true && !report.isRepeated)
      #expect(report.trouble?.contains("answered at \(old) until then") == true)
      #expect(report.pause == .seconds(1))
      #expect(try await Self.health(old) == 200)
      let again = await server.proceed(at: .seconds(1))
      #expect(again.isRepeated && again.pause == .seconds(2))
      close(taken.descriptor)
      #expect(await server.proceed(at: .seconds(2)) == ListenReport(pause: .seconds(1)))
      #expect(try Self.place(await server.proceed(at: .seconds(3))) == taken.address)
      #expect(try await Self.health(taken.address) == 200)
      #expect(try await Self.health(old) == nil)
      #expect(await server.proceed(at: .seconds(4)) == ListenReport())
    }
  }

  @Test
  func `F202 a place that the old one is in the way of is taken, and the old one again where it cannot be`()
    async throws
  {
    try await Self.serving(at: Self.uncontestedPort()) { (server, old) async throws in
      let everywhere = ListenAddress.internet("0.0.0.0", port: try Self.port(old))
      let other = try ListenSocket.open(.internet("127.0.0.2", port: try Self.port(old)), mode: "")
      let report = await server.change(to: Self.configuration(everywhere), at: .zero)
      #expect(report.trouble?.contains("answered at \(old) until then") == true)
      #expect(try await Self.health(old) == 200)
      close(other.descriptor)
      #expect(try Self.place(await server.proceed(at: .seconds(1))) == everywhere)
      #expect(try await Self.health(everywhere) == 200)
    }
  }

  @Test func `F202 who may ask changes while the place stays`() async throws {
    let path = "/tmp/metafleet-change-\(SampleFleet.unique).sock"
    try await Self.serving(at: .unix(path)) { (server, old) async throws in
      #expect(try await Self.health(old, host: "gateway.example.com") == 421)
      var configuration = Self.configuration(old)
      (configuration.hosts, configuration.socketMode) = (["gateway.example.com"], "0600")
      _ = try Self.place(await server.change(to: configuration, at: .zero))
      #expect(try await Self.health(old, host: "gateway.example.com") == 200)
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
  }

  @Test func `F202 nothing is served while nobody wants it`() async throws {
    try await Self.serving(at: .internet("127.0.0.1", port: 0)) { (server, old) async throws in
      let report = await server.change(to: Self.configuration(nil), at: .zero)
      #expect(report == ListenReport(change: .closed))
      #expect(try await Self.health(old) == nil)
      _ = try Self.place(await server.change(to: Self.configuration(old), at: .zero))
      #expect(try await Self.health(old) == 200)
    }
  }
}
