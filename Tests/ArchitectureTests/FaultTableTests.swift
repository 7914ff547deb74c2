import Testing

@Suite struct FaultTableTests {
  private let table = FaultTable(Repository.text("deploy/docs/faults.md"))
  private let mutations = Repository.files(in: "Tests/Mutations").filter { $0.hasSuffix(".edit") }

  private func name(_ path: String) -> String { String(path.split(separator: "/").last?.dropLast(5) ?? "") }

  @Test func `every row that is built is in the table, with tests and a mutation`() {
    let rows = table.rows.map(\.id).filter { $0.hasPrefix("F") }
    #expect(Array(rows.prefix(FaultTable.expected.count)) == FaultTable.expected)
    let later = rows.dropFirst(FaultTable.expected.count).compactMap { Int($0.dropFirst()) }
    #expect(later == later.sorted() && later.allSatisfy { $0 >= 100 })
    #expect(Set(rows).count == rows.count)
    for row in table.rows { #expect(!row.tests.isEmpty && !row.mutations.isEmpty, "\(row.id)") }
  }

  @Test func `every test the table names is there`() {
    for row in table.rows {
      for test in row.tests { #expect(FaultTable.exists(test, in: Repository.tests), "\(row.id): \(test)") }
    }
  }

  @Test func `the table names every mutation, with its row`() {
    let named = table.rows.flatMap(\.mutations)
    #expect(named.sorted() == mutations.map(name).sorted())
    for row in table.rows { #expect(row.mutations.allSatisfy { $0.hasPrefix(row.id + "-") }, "\(row.id)") }
  }

  @Test func `every mutation names tests that are there`() throws {
    for path in mutations {
      let fails = try #require(NamedEdit(Repository.text(path)).headers["Fails"], "\(path) names no tests")
      for filter in fails.split(separator: "|") {
        let words =
          filter.split(separator: ".", maxSplits: 1).last?.split(separator: "/", maxSplits: 1).map(
            String.init) ?? []
        let suite = try #require(Repository.tests.first { $0.name == words.first }, "\(path): \(filter)")
        if words.count > 1 {
          #expect(FaultTable.exists("\(suite.name)/\(words[1])", in: Repository.tests), "\(path)")
        }
      }
    }
  }

  @Test func `every mutation can still be made, and stands in its row`() {
    for path in mutations {
      let edit = NamedEdit(Repository.text(path))
      #expect(edit.trouble(Repository.text).isEmpty, "\(path)")
      #expect(edit.headers["Row"].map { name(path).hasPrefix($0 + "-") } == true, "\(path)")
    }
  }

  @Test func `a test that is not there is missed`() {
    #expect(!FaultTable.exists("BackoffTests/noSuchTest", in: Repository.tests))
    #expect(!FaultTable.exists("NoSuchTests/delays", in: Repository.tests))
    #expect(FaultTable("| F01 | x | `A/b` `A/c` | `F01-d` |").rows.map(\.tests) == [["A/b", "A/c"]])
  }
}
