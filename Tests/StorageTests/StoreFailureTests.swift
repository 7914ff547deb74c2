import Testing

@testable import Storage

@Suite struct StoreFailureTests {
  // Result codes as in sqlite.org/rescode.html.
  @Test(arguments: [
    (13, 13, StoreFailure.full),
    (8, 8, .readOnly),
    (8, 1_032, .io("text")),
    (3, 3, .readOnly),
    (10, 1_034, .io("text (1034)")),
    (14, 14, .io("text (14)")),
    (11, 11, .corrupt("text")),
    (26, 26, .corrupt("text")),
    (5, 5, .taken("another program holds the database locked")),
    (15, 15, .taken("another program holds the database locked")),
    (19, 2_067, .misuse("text (2067)")),
  ])
  func `a result code says whether the process may go on`(code: Int32, extended: Int32, failure: StoreFailure)
  {
    #expect(StoreFailure(code: code, extendedCode: extended, text: "text") == failure)
  }

  @Test func `only an unknown disk ends the store`() {
    #expect(StoreFailure.io("").isFinal)
    #expect(StoreFailure.corrupt("").isFinal)
    for failure in [StoreFailure.full, .readOnly, .taken(""), .newer(""), .misuse("")] {
      #expect(!failure.isFinal)
    }
  }
}
