import Testing

@testable import metafleet

@Suite struct LineQueueTests {
  private static func notice(_ count: Int) -> String { "\(count) were dropped" }

  @Test func `lines come out in order, each with its end, and then there are none`() {
    var queue = LineQueue()
    #expect(queue.isEmpty)
    queue.add("one")
    queue.add("two")
    #expect(String(decoding: queue.take(notice: Self.notice), as: UTF8.self) == "one\ntwo\n")
    #expect(queue.isEmpty)
  }

  @Test func `F218 what nobody reads is dropped beyond the limit, counted, and said behind what was kept`() {
    var queue = LineQueue()
    let line = String(repeating: "x", count: 1_023)
    for _ in 0..<LineQueue.limit / 1_024 + 12 { queue.add(line) }
    // It would fit, but those before it did not.
    queue.add("short")
    let bytes = queue.take(notice: Self.notice)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSuffix("x\n13 were dropped\n"))
    #expect(bytes.count == LineQueue.limit + "13 were dropped\n".utf8.count)
    #expect(queue.isEmpty)
    queue.add("next")
    #expect(String(decoding: queue.take(notice: Self.notice), as: UTF8.self) == "next\n")
  }
}
