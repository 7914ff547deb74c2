import Testing

@testable import Storage

@Suite struct StoreFailureTests {
  // Result codes as in sqlite.org/rescode.html.
  @Test(arguments: [
    (13, 13, StoreFailure.full),
    (8, 8, .readOnly),
    (8, 1_032, .io("text")),
    (3, 3, .readOnly),
    (10, 1_034, .io("text (SQLite 1034)")),
    (14, 14, .io("text (SQLite 14)")),
    (11, 11, .corrupt("text")),
    (26, 26, .corrupt("text")),
    (5, 5, .taken("another program has locked the database; end it")),
    (15, 15, .taken("another program has locked the database; end it")),
    (19, 2_067, .misuse("text (SQLite 2067)")),
  ])
  func `a result code says whether the process may go on`(code: Int32, extended: Int32, failure: StoreFailure)
  {
    #expect(StoreFailure(code: code, extendedCode: extended, text: "text") == failure)
  }

  @Test func `an error that is no answer of SQLite is named, not dumped`() {
    struct RowProblem: Error { var row = "SELECT secret" }
    guard case .misuse(let text) = StoreFailure(RowProblem()) else { return #expect(Bool(false)) }
    #expect(text == "a row cannot be read or written")
  }

  @Test func `only an unknown disk ends the store`() {
    #expect(StoreFailure.io("").isFinal)
    #expect(StoreFailure.corrupt("").isFinal)
    for failure in [StoreFailure.full, .readOnly, .taken(""), .newer(""), .misuse("")] {
      #expect(!failure.isFinal)
    }
  }
}
