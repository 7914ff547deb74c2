import Fleet
import FleetModel
import Foundation
import Testing

/// The codes of `explain` in the documentation and in the product are one list.
@Suite struct ExplanationContractTests {
  private static func text(_ path: String) -> String {
    (try? String(contentsOf: CommandContract.repository.appending(path: path), encoding: .utf8)) ?? ""
  }

  @Test func `every code is documented with its condition, its advice and its exit status, and no other`() {
    let lines = Self.text("deploy/docs/explain.md").split(separator: "\n").drop { !$0.hasPrefix("| `code`") }
    let rows = lines.dropFirst(2).prefix { $0.hasPrefix("|") }.map(String.init)
    #expect(
      rows
        == Explanation.Code.allCases.map { code in
          let (condition, advice) = code.documentation
          return "| `\(code.rawValue)` | \(condition) | \(advice) | \(code.kind.rawValue) |"
        })
  }

  @Test func `the contract names every code`() throws {
    let section = try #require(CommandContract.shipped.sections["3.10"])
    let sentence = try #require(section.firstMatch(of: /`explain` codes: `([a-z, \n-]+)`/))
    let codes = sentence.1.split { ", \n".contains($0) }.map(String.init)
    #expect(codes == Explanation.Code.allCases.map(\.rawValue))
  }

  @Test(arguments: Explanation.Code.allCases)
  func `codes are words of small letters that fit the verb's answer`(_ code: Explanation.Code) {
    #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil && code.rawValue.count <= 32)
  }
}
