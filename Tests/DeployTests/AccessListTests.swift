import Foundation
import Testing

/// What the access list of a gateway says; whether a broker obeys it, `Tests/Outsiders/access_checks.py` sees.
@Suite struct AccessListTests {
  private let lines: [[String]]

  init() throws {
    let root = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "deploy/mosquitto/gateway.acl"), encoding: .utf8)
    lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      line.split(separator: " ").map(String.init)
    }
  }

  private var writable: [String] {
    lines.filter { $0.first == "topic" && ["write", "readwrite"].contains($0[1]) }.map { $0[2] }
  }

  @Test func `F240 a gateway that is stolen commands no board, no group and no other gateway`() {
    #expect(writable.count > 10)
    for topic in writable {
      let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
      #expect(!levels.contains("cmd"), "\(topic)")
      // A wildcard that takes in command topics stands only below its own name.
      #expect(!levels.contains("#") || levels.contains("GATEWAY") || levels[1] == "response", "\(topic)")
      #expect(levels.count < 4 || levels[1] != "board" || levels[3] != "+" || levels[2] != "+", "\(topic)")
    }
  }

  @Test func `F240 each gateway is a user of its own`() {
    #expect(lines.filter { $0.first == "user" } == [["user", "GATEWAY"]])
    #expect(!lines.contains { $0.first == "pattern" })
  }
}
