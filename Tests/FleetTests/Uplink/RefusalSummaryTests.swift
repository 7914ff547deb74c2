import Dialects
import Testing

@testable import Fleet

@Suite struct RefusalSummaryTests {
  private static let topic = "b/record/acceleration"

  private func refused(_ failure: BrokerFailure = .refused(0x97, "quota exceeded")) throws -> RefusedRow {
    try #require(RefusedRow(1, on: Self.topic, because: failure))
  }

  @Test func `the first refusal is told at once`() throws {
    var digest = RefusalSummary()
    let entry = digest.refused(try refused(), at: .zero)
    #expect(
      entry
        == .init(topic: Self.topic, kind: "quota", reasonCode: 0x97, reason: "quota exceeded", rows: 1))
  }

  @Test func `F66 further ones are counted and told a minute later, in one line however many they are`()
    throws
  {
    var digest = RefusalSummary()
    _ = digest.refused(try refused(), at: .zero)
    for second in 1...59 {
      let entry = digest.refused(try refused(), at: .seconds(second))
      #expect(entry == nil)
    }
    #expect(digest.due(at: .seconds(59)).isEmpty)
    #expect(digest.due(at: .seconds(60)).map(\.rows) == [59])
    #expect(digest.due(at: .seconds(600)).isEmpty)
  }

  @Test func `kinds do not wait for each other`() throws {
    var digest = RefusalSummary()
    _ = digest.refused(try refused(), at: .zero)
    let entry = digest.refused(try refused(.tooLarge), at: .zero)
    #expect(entry?.kind == "too-large")
  }

  @Test func `F66 the broker's reason stands as long as it refuses a topic`() throws {
    var digest = RefusalSummary()
    _ = digest.refused(try refused(.denied("not authorised")), at: .zero)
    _ = digest.note(Self.topic, isRefused: true)
    #expect(digest.reason == "not authorised")
    _ = digest.note(Self.topic, isRefused: false)
    #expect(digest.reason == nil)
  }

  @Test func `F168 topics are named for as long as the broker refuses them, and only so many`() {
    var summary = RefusalSummary()
    let first = summary.note("a", isRefused: true)
    let again = summary.note("a", isRefused: true)
    let other = summary.note("b", isRefused: false)
    #expect(first && !again && !other && summary.topics == ["a"])
    for number in 1...30 { _ = summary.note("topic/\(number)", isRefused: true) }
    #expect(summary.topics.count == RefusalSummary.mostTopics && summary.topics.first == "a")
    let taken = summary.note("a", isRefused: false)
    let next = summary.note("topic/30", isRefused: true)
    #expect(taken && next && summary.topics.last == "topic/30" && !summary.topics.contains("a"))
  }
}
