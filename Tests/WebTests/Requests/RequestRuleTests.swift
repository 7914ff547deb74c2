import FleetModel
import Testing

@testable import Web

@Suite struct RequestRuleTests {
  private static func verdict(
    _ method: String = "GET", _ path: String = "/metrics", hosts: [String] = ["localhost"],
    hasBody: Bool = false, isLocal: Bool = true, _ change: (inout HTTPConfiguration) -> Void = { _ in }
  ) -> RequestRule.Verdict {
    var configuration = HTTPConfiguration()
    change(&configuration)
    return RequestRule(configuration).judge(
      HTTPRequest(method, path, hosts: hosts, hasBody: hasBody, isLocal: isLocal))
  }

  private static func status(_ verdict: RequestRule.Verdict) -> Int? {
    if case .refuse(let content) = verdict { content.status } else { nil }
  }

  @Test func `every page is shown to this computer, with names`() {
    for page in Page.allCases {
      for method in ["GET", "HEAD"] {
        #expect(Self.verdict(method, page.rawValue) == .show(PageView(page, showsNames: true)))
      }
    }
  }

  @Test func `F225 to whom a request is addressed comes before its path and method`() {
    #expect(Self.status(Self.verdict("POST", "/nothing", hosts: ["evil.com"])) == 421)
    #expect(Self.status(Self.verdict("POST", "/nothing", hosts: [])) == 400)
    #expect(Self.status(Self.verdict(hosts: ["localhost", "localhost"])) == 400)
    #expect(
      Self.verdict(hosts: ["gw.example.com"]) { $0.hosts = ["gw.example.com"] }
        == .show(PageView(.metrics, showsNames: true)))
  }

  @Test func `other methods, bodies and paths are refused`() {
    for method in ["POST", "PUT", "OPTIONS", "get", ""] {
      let verdict = Self.verdict(method, "/nothing")
      #expect(Self.status(verdict) == 405)
      if case .refuse(let content) = verdict { #expect(content.allHeaders["Allow"] == "GET, HEAD") }
    }
    #expect(Self.status(Self.verdict(hasBody: true)) == 413)
    for path in ["/nothing", "", "/metrics/", "//metrics", "/%6detrics", "http://localhost/metrics"] {
      #expect(Self.status(Self.verdict("GET", path)) == 404)
    }
  }

  @Test func `other computers see no names, unless the file says so`() {
    #expect(Self.verdict(isLocal: false) == .show(PageView(.metrics, showsNames: false)))
    #expect(Self.status(Self.verdict("GET", "/", isLocal: false)) == 403)
    let open = Self.verdict("GET", "/", isLocal: false) { $0.audience = .open }
    #expect(open == .show(PageView(.status, showsNames: true)))
  }

  @Test func `every answer forbids what pages of ours never do`() {
    let headers = HTTPContent.text(200, ["a", "b"]).allHeaders
    #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; style-src 'self';") == true)
    #expect(headers["X-Content-Type-Options"] == "nosniff" && headers["Cache-Control"] == "no-store")
    #expect(headers["Connection"] == "close" && headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(HTTPContent.text(200, ["a", "b"]).bytes == Array("a\nb\n".utf8))
  }
}
