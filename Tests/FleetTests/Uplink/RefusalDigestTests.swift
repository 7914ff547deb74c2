import Testing

@testable import Fleet

@Suite struct RefusalDigestTests {
  private static let topic = "b/record/acceleration"

  @Test func theFirstRefusalIsToldAtOnce() {
    var digest = RefusalDigest()
    let entry = digest.refused(topic: Self.topic, kind: "quota", reasonCode: 0x97, at: .zero)
    #expect(entry == .init(topic: Self.topic, kind: "quota", reasonCode: 0x97, rows: 1))
  }

  @Test func furtherOnesAreCountedAndToldAMinuteLater() {
    var digest = RefusalDigest()
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

  @Test func kindsDoNotWaitForEachOther() {
    var digest = RefusalDigest()
    _ = digest.refused(topic: Self.topic, kind: "quota", reasonCode: 0x97, at: .zero)
    let entry = digest.refused(topic: Self.topic, kind: "too-large", reasonCode: 0x95, at: .zero)
    #expect(entry?.kind == "too-large")
  }
}
