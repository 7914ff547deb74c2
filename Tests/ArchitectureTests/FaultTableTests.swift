import Foundation
import Support
import Testing

@Suite struct FaultTableTests {
  private let table = FaultTable(Repository.text("deploy/docs/faults.md"))
  private let patches = Repository.files(in: "Tests/Mutations").filter { $0.hasSuffix(".patch") }

  private func name(_ patch: String) -> String { String(patch.split(separator: "/").last?.dropLast(6) ?? "") }

  @Test func `every row that is built is in the table, with tests and a mutation`() {
    #expect(table.rows.map(\.id).filter { $0.hasPrefix("F") } == FaultTable.expected)
    for row in table.rows { #expect(!row.tests.isEmpty && !row.mutations.isEmpty, "\(row.id)") }
  }

  @Test func `every test the table names is there`() {
    for row in table.rows {
      for test in row.tests { #expect(FaultTable.exists(test, in: Repository.tests), "\(row.id): \(test)") }
    }
  }

  @Test func `the table names every mutation, with its row`() {
    let named = table.rows.flatMap(\.mutations)
    #expect(named.sorted() == patches.map(name).sorted())
    for row in table.rows { #expect(row.mutations.allSatisfy { $0.hasPrefix(row.id + "-") }, "\(row.id)") }
  }

  @Test func `every mutation names tests that are there`() throws {
    for patch in patches {
      let fails = try #require(
        Repository.text(patch).firstMatch(of: /\nFails: (.+)\n/), "\(patch) names no tests")
      for filter in fails.1.split(separator: "|") {
        let words = filter.split(separator: ".").last?.split(separator: "/").map(String.init) ?? []
        let suite = try #require(Repository.tests.first { $0.name == words.first }, "\(patch): \(filter)")
        if words.count > 1 {
          #expect(FaultTable.exists("\(suite.name)/\(words[1])", in: Repository.tests), "\(patch)")
        }
      }
    }
  }

  @Test func `every mutation still applies`() throws {
    let check = try SpawnedProgram.run(
      Repository.root.appending(path: "Tests/Mutations/run").path(percentEncoded: false), ["--check"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }

  @Test func `a test that is not there is missed`() {
    #expect(!FaultTable.exists("BackoffTests/noSuchTest", in: Repository.tests))
    #expect(!FaultTable.exists("NoSuchTests/delays", in: Repository.tests))
    #expect(FaultTable("| F01 | x | `A/b` `A/c` | `F01-d` |").rows.map(\.tests) == [["A/b", "A/c"]])
  }
}
