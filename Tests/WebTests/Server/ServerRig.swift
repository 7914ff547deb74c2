import EventLoops
import FleetModel
import Testing

@testable import Web

/// A real server on a port of loopback, or at a socket.
struct ServerRig {
  typealias Change = (inout ServerLimits) -> Void

  let server: HTTPServer
  let address: ListenAddress

  /// What is shown where a test does not care.
  static func source(
    snapshot: @escaping @Sendable () async -> FleetSnapshot = { SampleFleet.snapshot(boards: 0) },
    answer: @escaping @Sendable (WebRequest) async -> WebAnswer = { _ in .content(.json(200, [])) }
  ) -> WebSource {
    WebSource(
      snapshot: snapshot, documents: { .json(200, ["gateway/gw/info": [:]]) },
      verbs: { .json(200, [["verb": "led", "http": .bool($0.allows("led"))]]) }, answer: answer)
  }

  static func serving(
    _ source: WebSource, at place: ListenAddress = .internet("127.0.0.1", port: 0), hasToken: Bool = true,
    within change: Change = { _ in }, _ body: (ServerRig) async throws -> Void
  ) async throws {
    let loop = try EventLoop(name: "web-test")
    defer { loop.stop() }
    let progress = LoopProgress()
    progress.follow(loop)
    var limits = ServerLimits()
    change(&limits)
    var configuration = HTTPConfiguration()
    configuration.listen = place
    let token = hasToken ? AccessToken(Array(RequestExample.secret.utf8)) : nil
    let server = HTTPServer(configuration, token: token, on: loop, progress: progress, within: limits)
    let report = await server.proceed(at: .zero)
    async let serving: Void = server.run(source)
    do {
      guard case .listening(let address) = report.change else {
        throw ListenFailure("\(place)", "no", advice: "")
      }
      try await body(ServerRig(server: server, address: address))
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    await serving
  }

  func client(from source: String = "127.0.0.1") throws -> BareClient {
    switch address {
    case .internet(_, let port): try #require(BareClient(port: port, from: source))
    case .unix(let path): try #require(BareClient(path: path))
    }
  }

  func ask(_ request: String, from source: String = "127.0.0.1") async throws -> String {
    let client = try client(from: source)
    client.send(request)
    return await client.readAll()
  }

  func status(of request: String) async throws -> Int? { Self.status(try await ask(request)) }

  static func status(from client: BareClient) async -> Int? { status(await client.readAll()) }

  static func status(_ answer: String) -> Int? {
    answer.hasPrefix("HTTP/1.1 ") ? Int(answer.dropFirst(9).prefix(3)) : nil
  }

  static func get(
    _ path: String, host: String = "localhost", method: String = "GET", _ headers: [String] = []
  ) -> String {
    "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  /// A command, with the token.
  static func command(_ body: String) -> String {
    get(
      "/api/command", method: "POST",
      [
        "Authorization: Bearer \(RequestExample.secret)", "X-MetaFleet: 1", "Content-Type: application/json",
        "Content-Length: \(body.utf8.count)",
      ]) + body
  }
}
