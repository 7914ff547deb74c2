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
}
