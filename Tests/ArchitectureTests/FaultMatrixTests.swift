import Testing

@Suite struct FaultMatrixTests {
  private let matrix = FaultMatrix(Repository.text("deploy/docs/reference/fault-matrix.md"))
  private let table = Set(FaultTable(Repository.text("deploy/docs/faults.md")).rows.map(\.id))

  @Test func `the matrix says truly what holds each row`() {
    #expect(matrix.untrue(table: table) { CitedFiles.citedByTests.contains(.row($0)) } == [])
  }

  @Test func `every row of the table of faults is in the matrix`() {
    let rows = table.filter { $0.hasPrefix("F") }
    #expect(matrix.rows.count > 140)
    #expect(rows.subtracting(matrix.rows.map(\.id)) == [])
  }

  @Test(arguments: [
    ("table", true, true, true), ("table", false, true, false), ("tests", false, true, true),
    ("tests", false, false, false), ("tests", true, true, false), ("–", false, false, true),
    ("–", false, true, false), ("not built", true, false, false), ("soon", true, true, false),
  ])
  func `a row that is held otherwise is found`(word: String, isInTable: Bool, isTested: Bool, isTrue: Bool) {
    let id = "F\(61)"
    let matrix = FaultMatrix("| id | what |\n| \(id) | a | b | c | \(word) |\n")
    #expect(matrix.rows.map(\.id) == [id])
    #expect(matrix.untrue(table: isInTable ? [id] : []) { _ in isTested } == (isTrue ? [] : [id]))
  }
}
