import FleetModel
import Testing

@testable import Web

@Suite struct RequestRuleTests {
  private typealias Example = RequestExample

  @Test func `every page is shown to this computer, with names`() {
    for page in Page.allCases {
      for method in ["GET", "HEAD"] {
        var request = Example.get(page.rawValue)
        request.method = method
        #expect(Example.verdict(on: request) == .show(PageView(page, showsNames: true)))
      }
    }
  }

  @Test func `F225 to whom a request is addressed comes before its path and method`() {
    for path in [
      "/nothing", "/", "/metrics", "/api/command", "/api/documents", "/api/stream", "/api/sessions",
    ] {
      var request = Example.get(path, hosts: ["evil.com"], headers: Example.bearer)
      request.method = "POST"
      #expect(Example.refusal(of: request) == 421)
      request.hosts = []
      #expect(Example.refusal(of: request) == 400)
      request.hosts = ["localhost", "localhost"]
      #expect(Example.refusal(of: request) == 400)
    }
    #expect(
      Example.verdict(on: Example.get(hosts: ["gw.example.com"])) { $0.hosts = ["gw.example.com"] }
        == .show(PageView(.metrics, showsNames: true)))
  }

  @Test func `other methods, bodies and paths are refused`() {
    for method in ["POST", "PUT", "OPTIONS", "get", ""] {
      var request = Example.get("/nothing")
      request.method = method
      let verdict = Example.verdict(on: request)
      #expect(Example.status(verdict) == 405)
      if case .refuse(let content) = verdict { #expect(content.allHeaders["Allow"] == "GET, HEAD") }
      var command = Example.command(Example.bearer)
      command.method = method
      #expect(Example.refusal(of: command) == (method == "POST" ? nil : 405))
    }
    for body in [["content-length": "2"], ["transfer-encoding": "chunked"]] {
      #expect(Example.refusal(of: Example.get(headers: body)) == 413)
    }
    for path in ["/nothing", "", "/metrics/", "//metrics", "/%6detrics", "http://localhost/metrics", "/api/"]
    {
      #expect(Example.refusal(of: Example.get(path)) == 404)
    }
    var head = Example.get("/api/stream")
    head.method = "HEAD"
    #expect(Example.refusal(of: head) == 405)
  }

  @Test func `health and metrics are for everybody, without names`() {
    for page in [Page.metrics, .health, .readiness, .style] {
      let request = Example.get(page.rawValue, from: Example.elsewhere)
      #expect(Example.verdict(on: request) == .show(PageView(page, showsNames: false)))
    }
    #expect(Example.verdict(on: Example.get("/", from: Example.elsewhere)) == .file(PageFile.all[0]))
  }

  @Test(arguments: ["/status", "/api/documents", "/api/verbs", "/api/stream", "/api/sessions", "/api/events"])
  func `other computers read with the token, or where the file says so`(path: String) {
    let request = Example.get(path, from: Example.elsewhere)
    #expect(Example.refusal(of: request) == 401)
    #expect(Example.refusal(of: request, hasToken: false) == 403)
    #expect(Example.refusal(of: request) { $0.audience = .open } == nil)
    #expect(
      Example.refusal(of: Example.get(path, headers: Example.bearer, from: Example.elsewhere)) == nil)
  }

  @Test(arguments: ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"])
  func `F237 what somebody has handed on is never of this computer`(header: String) {
    for peer in [Example.loopback, .socket] {
      let request = Example.get("/api/documents", headers: [header: "127.0.0.1"], from: peer)
      #expect(Example.refusal(of: request) == 401)
      #expect(Example.refusal(of: request, hasToken: false) == 403)
      #expect(Example.refusal(of: Example.command(from: peer, [header: "127.0.0.1"])) == 401)
      let metrics = Example.get(headers: [header: ""], from: peer)
      #expect(Example.verdict(on: metrics) == .show(PageView(.metrics, showsNames: false)))
    }
  }

  @Test func `F237 reading is no right to command, not even on this computer`() {
    #expect(Example.refusal(of: Example.command()) == 401)
    #expect(Example.refusal(of: Example.command(), hasToken: false) == 403)
    #expect(Example.refusal(of: Example.command()) { $0.audience = .open } == 401)
    #expect(Example.refusal(of: Example.command(from: Example.elsewhere)) { $0.audience = .open } == 401)
    for peer in [Example.loopback, Example.elsewhere] {
      let command = Example.command(from: peer, Example.bearer)
      #expect(Example.verdict(on: command) == .command(HTTPCommandRule()))
      #expect(Example.refusal(of: command) { $0.commands.verbs = [] } == 403)
    }
  }

  @Test func `F237 through a socket its file rights have decided`() {
    let command = Example.command(from: .socket)
    #expect(Example.verdict(on: command, hasToken: false) == .command(HTTPCommandRule()))
    #expect(Example.refusal(of: command) { $0.commands.verbs = [] } == 403)
  }

  @Test func `F237 a command needs JSON, a header of its own and a size`() {
    func status(_ headers: [String: String?]) -> Int? {
      var all: [String: String?] = Example.bearer
      all.merge(headers) { _, new in new }
      return Example.refusal(of: Example.command(all))
    }
    #expect(status([:]) == nil)
    #expect(status(["content-type": "application/json; charset=utf-8"]) == nil)
    for type in [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonx",
    ] {
      #expect(status(["content-type": type]) == 415)
    }
    #expect(status(["content-type": nil]) == 415)
    #expect(status(["x-metafleet": nil]) == 400 && status(["x-metafleet": "2"]) == 400)
    #expect(status(["content-length": nil]) == 411 && status(["content-length": "x"]) == 411)
    #expect(status(["transfer-encoding": "chunked"]) == 411 && status(["content-length": "-1"]) == 411)
    #expect(status(["content-length": "65536"]) == nil && status(["content-length": "65537"]) == 413)
  }

  @Test(arguments: [
    "https://evil.com", "null", "http://localhost:9465", "http://localhost:9464.evil.com", "",
  ])
  func `F237 a page of somebody else commands nothing, and reads nothing`(origin: String) {
    #expect(Example.refusal(of: Example.command(Example.bearer.merging(["origin": origin]) { $1 })) == 403)
    for path in ["/", "/metrics", "/api/documents", "/api/stream", "/api/sessions"] {
      let request = Example.get(
        path, hosts: ["localhost:9464"], headers: Example.bearer.merging(["origin": origin]) { $1 })
      #expect(Example.refusal(of: request) == 403)
    }
  }

  @Test func `F238 the sixth wrong token of a minute is not looked at, nor is a right one`() {
    var rule = Example.rule()
    func status(_ token: String, at seconds: Int, from peer: Peer = Example.elsewhere) -> Int? {
      let headers = ["authorization": "Bearer \(token)"]
      return Example.status(
        rule.judge(Example.get("/api/verbs", headers: headers, from: peer), at: .seconds(seconds)))
    }
    for second in 0..<5 { #expect(status("wrong", at: second) == 401) }
    #expect(status("wrong", at: 5) == 429)
    #expect(status(Example.secret, at: 6) == 429)
    #expect(status(Example.secret, at: 6, from: Example.loopback) == nil)
    #expect(status(Example.secret, at: 60) == nil)
  }

  @Test func `F238 a wrong token is refused where none would do`() {
    let headers = ["authorization": "Bearer x"]
    #expect(Example.refusal(of: Example.get("/metrics", headers: headers)) == 401)
    #expect(
      Example.refusal(of: Example.get("/api/documents", headers: headers)) { $0.audience = .open } == 401)
    #expect(Example.refusal(of: Example.command(from: .socket, ["authorization": "Bearer x"])) == 401)
  }

  @Test func `every answer forbids what pages of ours never do`() {
    let headers = HTTPContent.text(200, ["a", "b"]).allHeaders
    #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'self';") == true)
    #expect(headers["X-Content-Type-Options"] == "nosniff" && headers["Cache-Control"] == "no-store")
    #expect(headers["Referrer-Policy"] == "no-referrer")
    #expect(headers["Connection"] == "close" && headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(headers.keys.allSatisfy { !$0.lowercased().hasPrefix("access-control-") })
    #expect(HTTPContent.text(200, ["a", "b"]).bytes == Array("a\nb\n".utf8))
  }

  @Test func `a refusal is an object for programs, and a sentence for people`() {
    guard case .refuse(let line) = Example.verdict(on: Example.get("/nothing")),
      case .refuse(let object) = Example.verdict(on: Example.get("/api/nothing"))
    else {
      Issue.record("what is not there was found")
      return
    }
    #expect(line.type.hasPrefix("text/plain") && line.bytes.suffix(2) == Array(".\n".utf8)[...])
    #expect(object.type == "application/json")
    #expect((try? StrictJSON.parse(object.bytes).object)?["error"]?.string?.isEmpty == false)
  }
}
