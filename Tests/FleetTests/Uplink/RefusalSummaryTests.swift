import Testing

@testable import Fleet

@Suite struct RefusalSummaryTests {
  private static let topic = "b/record/acceleration"

  @Test func `the first refusal is told at once`() {
    var digest = RefusalSummary()
    let entry = digest.refused(topic: Self.topic, kind: "quota", reasonCode: 0x97, at: .zero)
    #expect(entry == .init(topic: Self.topic, kind: "quota", reasonCode: 0x97, rows: 1))
  }

  @Test func `further ones are counted and told a minute later`() {
    var digest = RefusalSummary()
    _ = digest.refused(topic: Self.topic, kind: "quota", reasonCode: 0x97, at: .zero)
    for second in 1...59 {
      let entry = digest.refused(
        topic: Self.topic, kind: "quota", reasonCode: 0x97, at: .seconds(second))
      #expect(entry == nil)
    }
    #expect(digest.due(at: .seconds(59)).isEmpty)
    #expect(digest.due(at: .seconds(60)).map(\.rows) == [59])
    #expect(digest.due(at: .seconds(600)).isEmpty)
  }

  @Test func `kinds do not wait for each other`() {
    var digest = RefusalSummary()
    _ = digest.refused(topic: Self.topic, kind: "quota", reasonCode: 0x97, at: .zero)
    let entry = digest.refused(topic: Self.topic, kind: "too-large", reasonCode: 0x95, at: .zero)
    #expect(entry?.kind == "too-large")
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
