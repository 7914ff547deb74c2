import Testing

@testable import Web

@Suite struct HostRuleTests {
  private static let rule = HostRule(names: ["Gateway.example.com"])

  @Test(arguments: [
    "localhost", "LOCALHOST:9464", "127.0.0.1", "192.168.1.7:80", "[::1]", "[fe80::1]:9464", "floor-3.local",
    "floor-3.local.:9464", "gateway.example.com", "GATEWAY.example.com:443",
  ])
  func `F225 addresses, localhost, names of the local network and configured ones are ours`(host: String) {
    #expect(Self.rule.allows(host))
  }

  @Test(arguments: [
    "evil.com", "localhost.evil.com", "127.0.0.1.evil.com", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", ".local",
    "local", "[::1", "[evil]", "localhost:port", "localhost:70000", "localhost:", "", ":80", "example.com",
    "x.gateway.example.com", "127.1", "[]",
  ])
  func `F225 no other name is`(host: String) {
    #expect(!Self.rule.allows(host))
  }
}
