import FleetModel
import Testing

@testable import Web

@Suite struct TokenGuardTests {
  private static let secret = RequestExample.secret
  private static func guarded() -> TokenGuard { TokenGuard(AccessToken(Array(secret.utf8))) }

  @Test func `F238 only the whole token is right`() {
    var tokens = Self.guarded()
    #expect(tokens.judge("Bearer \(Self.secret)", from: .socket, at: .zero) == .right)
    #expect(tokens.judge("bearer \(Self.secret)", from: .socket, at: .zero) == .right)
    var last = Array(Self.secret.utf8)
    last[last.count - 1] ^= 1
    let wrong = [
      "", " ", String(decoding: last, as: UTF8.self), String(Self.secret.dropLast()), Self.secret + "x",
      Self.secret.uppercased(), " " + Self.secret, Self.secret + " ",
    ]
    for (index, text) in wrong.enumerated() {
      let peer = Peer.address("192.0.2.\(index)", isLoopback: false)
      #expect(tokens.judge("Bearer \(text)", from: peer, at: .zero) == .wrong)
    }
    #expect(tokens.judge("Bearer", from: .socket, at: .zero) == .wrong)
  }

  @Test func `who says nothing, or something else, is nobody`() {
    var tokens = Self.guarded()
    for header in [nil, "Basic \(Self.secret)", Self.secret, ""] {
      #expect(tokens.judge(header, from: .socket, at: .zero) == .none)
    }
    var open = TokenGuard(nil)
    #expect(open.judge("Bearer \(Self.secret)", from: .socket, at: .zero) == .none)
  }

  @Test func `F238 a hundred wrong tokens are five looks a minute`() {
    var tokens = Self.guarded()
    let findings = (0..<100).map { tokens.judge("Bearer \($0)", from: .socket, at: .milliseconds($0)) }
    #expect(findings.count { $0 == .wrong } == 5)
    #expect(findings[5] == .tooMany(.milliseconds(59_995)))
    #expect(tokens.judge("Bearer \(Self.secret)", from: .socket, at: .milliseconds(60_000)) == .right)
  }

  @Test func `F238 so many peers are known, and no more`() {
    var tokens = Self.guarded()
    let peers = (0...TokenGuard.mostPeers).map { Peer.address("\($0)", isLoopback: false) }
    for _ in 0..<TokenGuard.most { _ = tokens.judge("Bearer x", from: peers[0], at: .zero) }
    for peer in peers.dropFirst() { _ = tokens.judge("Bearer x", from: peer, at: .seconds(1)) }
    #expect(tokens.judge("Bearer x", from: peers[0], at: .seconds(2)) == .wrong)
  }
}
