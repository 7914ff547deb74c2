import Dialects
import Testing

@testable import Fleet

@Suite struct RefusedRowTests {
  private static let cases: [(BrokerFailure, String?)] = [
    (.notAuthorised("no"), "not-authorised 135"), (.denied("no"), "not-authorised 135"),
    (.refused(0x97, "quota exceeded"), "quota 151"), (.tooLarge, "too-large 149"),
    (.misuse("x"), "too-large 144"), (.connectionLost("x"), nil), (.unreachable("x"), nil),
    (.sessionTakenOver, nil),
  ]

  @Test(arguments: cases)
  func `F66 a refusal has a kind and a number; a connection that is going has judged nothing`(
    failure: BrokerFailure, words: String?
  ) {
    let row = RefusedRow(7, on: "a", because: failure)
    #expect(row.map { "\($0.kind) \($0.reasonCode)" } == words)
    #expect(row?.reason.isEmpty != true)
  }
}
