import FleetModel
import Foundation
import Testing

@testable import metafleet

/// `reason_code` in the contract, in the schema and in the product is one list.
@Suite struct ReasonContractTests {
  private static let contract =
    (try? String(
      contentsOf: CommandContract.repository.appending(path: "deploy/docs/mqtt-contract.md"), encoding: .utf8))
    ?? ""

  @Test func `the contract's table is the product's list`() {
    let lines = Self.contract.split(separator: "\n").drop { $0 != "### 1.8 Reasons" }.prefix {
      !$0.hasPrefix("### 1.9")
    }
    let rows = lines.filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `reason_code`") }.map(String.init)
    #expect(rows == ReasonCode.allCases.map { "| `\($0.rawValue)` | \($0.meaning) |" })
  }

  @Test(arguments: ReasonCode.allCases)
  func `codes are words of small letters, and the schema takes them`(_ code: ReasonCode) {
    #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    let state: JSONValue = [
      "ts_ms": 1, "board": "c0ffee000001", "gw": "g1", "link": "idle", "sessions_24h": 0,
      "session_fail_24h": 0, "samples_lost_24h": 0, "commands_waiting": 0, "reason": "x",
      "reason_code": .string(code.rawValue),
    ]
    #expect(SchemaCheck(StateSchema.document).problems(of: state) == [])
  }
}
