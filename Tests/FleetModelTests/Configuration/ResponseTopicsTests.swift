import Testing

@testable import FleetModel

@Suite struct ResponseTopicsTests {
  @Test(
    arguments: [
      (.any, "tools/answers", true), (.none, "tools/answers", false), (.below(["tools"]), "tools", true),
      (.below(["tools"]), "tools/answers", true), (.below(["tools"]), "toolshed", false),
      (.below(["a/b", "tools"]), "a/b/c", true), (.below(["a/b"]), "a/c", false), (.below([]), "a", false),
    ] as [(ResponseTopics, String, Bool)])
  func `F85 answers go where the file lets them, by whole levels`(
    _ topics: ResponseTopics, _ topic: String, _ goes: Bool
  ) {
    #expect(topics.permits(topic) == goes)
    #expect(ResponseTopics(document: topics.document) == topics)
  }

  @Test func `F85 what a reload says counts for the next answer`() {
    let rights = ResponseRights()
    #expect(rights.permits("tools/answers"))
    rights.change(to: .below(["a"]))
    #expect(!rights.permits("tools/answers") && rights.permits("a/b"))
  }
}
