import FleetModel

@testable import Web

/// Requests for tests: right in all respects but those that a test changes.
enum RequestExample {
  static let secret = "0123456789abcdef0123456789abcdef"
  static let loopback = Peer.address("127.0.0.1", isLoopback: true)
  static let elsewhere = Peer.address("192.0.2.7", isLoopback: false)
  static let bearer = ["authorization": "Bearer \(secret)"]

  static func get(
    _ path: String = "/metrics", query: [String: String] = [:], hosts: [String] = ["localhost"],
    headers: [String: String] = [:], from peer: Peer = loopback
  ) -> HTTPRequest {
    HTTPRequest("GET", path, query: query, hosts: hosts, headers: headers, peer: peer)
  }

  /// A command with all that one needs but the token.
  static func command(from peer: Peer = loopback, _ headers: [String: String?] = [:]) -> HTTPRequest {
    var all: [String: String?] = [
      "content-type": "application/json", "content-length": "2", "x-metafleet": "1",
    ]
    all.merge(headers) { _, new in new }
    return HTTPRequest(
      "POST", "/api/command", hosts: ["localhost:9464"], headers: all.compactMapValues { $0 }, peer: peer)
  }

  /// A rule of a configuration, with the token or without one.
  static func rule(
    hasToken: Bool = true, _ change: (inout HTTPConfiguration) -> Void = { _ in }
  ) -> RequestRule {
    var configuration = HTTPConfiguration()
    change(&configuration)
    return RequestRule(configuration, token: hasToken ? AccessToken(Array(secret.utf8)) : nil)
  }

  static func verdict(
    on request: HTTPRequest, hasToken: Bool = true, _ change: (inout HTTPConfiguration) -> Void = { _ in }
  ) -> RequestRule.Verdict {
    var rule = rule(hasToken: hasToken, change)
    return rule.judge(request, at: .zero)
  }

  /// The status of a refusal; nil of what is answered.
  static func refusal(
    of request: HTTPRequest, hasToken: Bool = true, _ change: (inout HTTPConfiguration) -> Void = { _ in }
  ) -> Int? {
    status(verdict(on: request, hasToken: hasToken, change))
  }

  static func status(_ verdict: RequestRule.Verdict) -> Int? {
    if case .refuse(let content) = verdict { content.status } else { nil }
  }
}
