import Curl
import EventLoops
import Support
import Testing

@Suite(.timeLimit(.minutes(20))) struct TransfersTests {
  private static func with(_ body: (Transfers) async throws -> Void) async throws {
    let loop = try EventLoop(name: "transfers")
    defer { loop.stop() }
    try await body(Transfers(loop: loop))
  }

  private static func fetch(
    _ address: String, with transfers: Transfers, _ change: (inout TransferRequest) -> Void = { _ in }
  ) async -> Result<String, TransferFailure> {
    var request = TransferRequest(address, largestSize: 64)
    request.allowsPlainHTTP = true
    change(&request)
    do throws(TransferFailure) {
      return .success(String(decoding: try await transfers.fetch(request), as: UTF8.self))
    } catch {
      return .failure(error)
    }
  }

  private static func answer(_ body: String, _ status: String = "200 OK", more: String = "") -> String {
    "HTTP/1.1 \(status)\r\n\(more)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  private static func fetch(
    from script: ScriptedListener.Script, _ change: (inout TransferRequest) -> Void = { _ in }
  ) async throws -> Result<String, TransferFailure> {
    let listener = try ScriptedListener(script)
    var result = Result<String, TransferFailure>.failure(.cancelled)
    try await with { result = await fetch("http://127.0.0.1:\(listener.port)/a", with: $0, change) }
    return result
  }

  private func expect(_ result: Result<String, TransferFailure>, _ words: String) {
    guard case .failure(let failure) = result else {
      Issue.record("it succeeded")
      return
    }
    #expect(failure.description.contains(words))
  }

  @Test func `content arrives`() async throws {
    #expect(try await Self.fetch(from: .answer(Array(Self.answer("hello").utf8))) == .success("hello"))
  }

  @Test func `another status is told`() async throws {
    let answer = Self.answer("no", "404 Not Found")
    #expect(try await Self.fetch(from: .answer(Array(answer.utf8))) == .failure(.status(404)))
  }

  @Test func `F193 what is larger than allowed is not taken, whether announced or not`() async throws {
    let body = String(repeating: "x", count: 65)
    for answer in [Self.answer(body), "HTTP/1.0 200 OK\r\n\r\n\(body)"] {
      let result = try await Self.fetch(from: .answer(Array(answer.utf8))) { $0.timeout = .seconds(5) }
      #expect(result == .failure(.tooLarge(64)))
    }
  }

  @Test func `F193 a server that says nothing is given up`() async throws {
    let limit = Duration.milliseconds(300)
    #expect(try await Self.fetch(from: .silence) { $0.timeout = limit } == .failure(.late(limit)))
  }

  @Test func `F193 a server that ends the connection is told`() async throws {
    expect(try await Self.fetch(from: .hangUp), "in the middle")
  }

  @Test func `F193 a port where nobody listens is told`() async throws {
    let port = try ScriptedListener(.silence).port
    try await Self.with { expect(await Self.fetch("http://127.0.0.1:\(port)/", with: $0), "nobody answers") }
  }

  @Test func `no address but https is fetched by itself`() async throws {
    try await Self.with { transfers in
      let result = await Self.fetch("http://127.0.0.1:9/", with: transfers) { $0.allowsPlainHTTP = false }
      #expect(result == .failure(.unusable("http://127.0.0.1:9/")))
    }
  }

  @Test func `a server that says nothing holds up no other`() async throws {
    let silent = try ScriptedListener(.silence)
    let other = try ScriptedListener(.answer(Array(Self.answer("hello").utf8)))
    try await Self.with { transfers in
      let first = Task { await Self.fetch("http://127.0.0.1:\(silent.port)/", with: transfers) }
      for await _ in silent.greetings { break }
      #expect(await Self.fetch("http://127.0.0.1:\(other.port)/", with: transfers) == .success("hello"))
      first.cancel()
      #expect(await first.value == .failure(.cancelled))
    }
  }

  @Test func `cancelling the task ends the transfer`() async throws {
    let silent = try ScriptedListener(.silence)
    try await Self.with { transfers in
      let fetching = Task { await Self.fetch("http://127.0.0.1:\(silent.port)/", with: transfers) }
      for await _ in silent.greetings { break }
      fetching.cancel()
      #expect(await fetching.value == .failure(.cancelled))
    }
  }

  // Over TLS.

  @Test func `F193 only a server of a known authority is believed`() async throws {
    let (authority, other) = (try TestAuthority(), try TestAuthority())
    let server = try TLSServer(authority) { _ in ["index": Self.answer("hello")] }
    try await Self.with { transfers in
      func fetch(host: String = "localhost", _ authorities: String?) async -> Result<String, TransferFailure>
      {
        await Self.fetch(server.address("index", host: host), with: transfers) {
          $0.authorities = authorities
        }
      }
      #expect(await fetch(authority.file("authority.pem")) == .success("hello"))
      expect(await fetch(other.file("authority.pem")), "nobody who is trusted here")
      expect(await fetch(nil), "nobody who is trusted here")
      expect(await fetch(host: "127.0.0.1", authority.file("authority.pem")), "for another name")
      expect(await fetch(authority.file("missing.pem")), "cannot be read")
    }
  }

  @Test func `F193 redirects are followed to https alone, and not for ever`() async throws {
    let authority = try TestAuthority()
    let server = try TLSServer(authority) { port in
      func redirect(_ address: String) -> String {
        Self.answer("", "302 Found", more: "Location: \(address)\r\n")
      }
      return [
        "once": redirect("https://localhost:\(port)/index"), "index": Self.answer("hello"),
        "circle": redirect("https://localhost:\(port)/circle"),
        "plain": redirect("http://localhost:\(port)/index"),
        "file": redirect("file:///etc/passwd"),
      ]
    }
    try await Self.with { transfers in
      func fetch(_ file: String) async -> Result<String, TransferFailure> {
        await Self.fetch(server.address(file), with: transfers) {
          $0.authorities = authority.file("authority.pem")
        }
      }
      #expect(await fetch("once") == .success("hello"))
      expect(await fetch("circle"), "more than 5 times")
      expect(await fetch("plain"), "not https")
      expect(await fetch("file"), "not https")
    }
  }
}
