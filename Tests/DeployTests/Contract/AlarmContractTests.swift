import FleetModel
import Foundation
import Testing

@testable import metafleet

/// The codes of alarms in the contract, in the schema and in the product are one list.
@Suite struct AlarmContractTests {
  private static let contract =
    (try? String(
      contentsOf: CommandContract.repository.appending(path: "deploy/docs/mqtt-contract.md"), encoding: .utf8))
    ?? ""

  @Test func `the contract's table is the product's list`() {
    let lines = Self.contract.split(separator: "\n").drop { !$0.hasPrefix("### 1.9") }.prefix {
      !$0.hasPrefix("## 2")
    }
    let rows = lines.filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `code`") }.map(String.init)
    #expect(
      rows
        == AlarmCode.allCases.map { code in
          "| `\(code.rawValue)` | \(code.severity.rawValue) | \(Self.words(code.delay)) | \(code.meaning) |"
        })
  }

  /// `5 min`, `1 d`; a dash where it is at once.
  private static func words(_ delay: Duration) -> String {
    let seconds = delay.components.seconds
    if seconds == 0 { return "–" }
    return seconds % 86_400 == 0 ? "\(seconds / 86_400) d" : "\(seconds / 60) min"
  }

  @Test func `the contract's example keeps to the schema`() throws {
    let text = Self.contract.split(separator: "### 1.9").last.map(String.init) ?? ""
    let example = text.split(separator: "```json\n").dropFirst().first?.split(separator: "```").first
    let document = try StrictJSON.parse(Array((example ?? "").utf8))
    #expect(SchemaCheck(AlarmSchema.document).problems(of: document) == [])
  }
}
