import BoardKit
import Testing

@Suite struct ProtocolFailureTests {
  private static let lost = LinkFailure(.linkLost, "the connection was lost")

  @Test(
    arguments: [
      (.unexpected("5 bytes"), "unexpected answer of the board: 5 bytes"),
      (.unknownModel("9"), "unknown board model: 9"),
      (.silent(question: "the model", after: .milliseconds(1_999)), "no answer to the model within 2s"),
      (.linkEnded(lost), "the connection was lost"),
    ] as [(ProtocolFailure, String)])
  func `a failure is a sentence wherever it is printed`(failure: ProtocolFailure, text: String) {
    #expect("\(failure)" == text)
  }

  @Test func `link failure`() { #expect("\(Self.lost)" == "the connection was lost") }
}
