import FleetModel
import Testing

@testable import metafleet

@Suite struct SenderIdentityTests {
  private func text(_ user: String, _ sudoer: String? = nil, _ host: String = "pi") -> String {
    SenderIdentity.property(user: user, sudoer: sudoer, host: host).value
  }

  @Test func `F224 a command says whose it is, and who became another user for it`() {
    #expect(SenderIdentity.property(user: "anna", sudoer: nil, host: "pi").name == "who")
    #expect(text("anna") == "anna@pi metafleet")
    #expect(text("root", "anna") == "anna@pi metafleet")
    #expect(text("root", "") == "root@pi metafleet")
  }

  @Test func `F224 nothing that a broker or a terminal stumbles over goes out`() {
    #expect(text("a\u{1B}[2Jn\u{0}na b") == "a[2Jnnab@pi metafleet")
    #expect(text("", nil, "\n") == "?@? metafleet")
    #expect(text(String(repeating: "x", count: 500)).utf8.count == 64 + "@pi metafleet".utf8.count)
  }
}
