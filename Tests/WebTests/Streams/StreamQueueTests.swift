import FleetModel
import Testing

@testable import Web

@Suite struct StreamQueueTests {
  private static let board = SampleFleet.id(1)

  private static func message(
    _ kind: StreamMessage.Kind, _ topic: String, _ payload: String = "1"
  ) -> StreamMessage {
    StreamMessage(kind, topic: topic, payload: Array(payload.utf8))
  }

  private static func add(_ message: StreamMessage, to queue: inout StreamQueue) {
    if queue.wants(message) { queue.add(message, message.frame) }
  }

  /// The topics and payloads that come out, a little at a time.
  private static func taken(_ queue: inout StreamQueue, atMost limit: Int = 7) -> [String] {
    var bytes: [UInt8] = []
    while case let piece = queue.take(atMost: limit), !piece.isEmpty { bytes += piece }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("data: ") }
      .compactMap { line in
        let object = try? StrictJSON.parse(Array(line.dropFirst(6).utf8)).object
        return object.map { "\($0["topic"]?.string ?? "") \(JSONWriter.text(of: $0["payload"] ?? .null))" }
      }
  }

  @Test func `F239 of documents and live samples the latest of each topic waits, of events all`() {
    var queue = StreamQueue(live: [Self.board])
    for count in 0..<1_000 {
      Self.add(Self.message(.document, "a", "\(count)"), to: &queue)
      Self.add(Self.message(.live(Self.board), "l", "\(count)"), to: &queue)
      if count < 3 { Self.add(Self.message(.event, "e", "\(count)"), to: &queue) }
    }
    #expect(queue.bytes < 500)
    #expect(Self.taken(&queue) == ["a 999", "l 999", "e 0", "e 1", "e 2"])
    #expect(queue.isEmpty && queue.bytes == 0)
    Self.add(Self.message(.document, "a", "7"), to: &queue)
    #expect(Self.taken(&queue) == ["a 7"])
  }

  @Test func `live samples are for those who asked for the board`() {
    var queue = StreamQueue(live: [Self.board])
    Self.add(Self.message(.live(SampleFleet.id(2)), "l"), to: &queue)
    #expect(queue.isEmpty)
  }

  @Test func `what is on its way is not replaced`() {
    var queue = StreamQueue(live: [])
    Self.add(Self.message(.document, "a", "1"), to: &queue)
    let beginning = Array(queue.take(atMost: 10))
    Self.add(Self.message(.document, "a", "2"), to: &queue)
    var bytes = beginning
    while case let piece = queue.take(atMost: 1_000), !piece.isEmpty { bytes += piece }
    let frames = [Self.message(.document, "a", "1"), Self.message(.document, "a", "2")].flatMap(\.frame)
    #expect(bytes == frames)
  }

  @Test func `F239 too much costs live samples first, and then the stream`() {
    var queue = StreamQueue(live: [Self.board])
    let large = "\"" + String(repeating: "x", count: 1_000) + "\""
    for topic in 0..<500 { Self.add(Self.message(.live(Self.board), "l\(topic)", large), to: &queue) }
    for topic in 0..<700 { Self.add(Self.message(.document, "d\(topic)", large), to: &queue) }
    #expect(!queue.isOver && queue.bytes <= StreamQueue.mostBytes)
    var copy = queue
    let topics = Self.taken(&copy, atMost: 100_000)
    #expect(topics.count == 700 && topics.allSatisfy { $0.hasPrefix("d") })
    for number in 0..<500 { Self.add(Self.message(.event, "e\(number)", large), to: &queue) }
    #expect(queue.isOver && queue.isEmpty && queue.bytes == 0)
    Self.add(Self.message(.event, "e", large), to: &queue)
    queue.addComment()
    #expect(queue.isEmpty)
  }

  @Test func `a comment is for those who have nothing else to say`() {
    var queue = StreamQueue(live: [])
    queue.addComment()
    #expect(Array(queue.take(atMost: 100)) == Array(":\n\n".utf8))
    Self.add(Self.message(.event, "e"), to: &queue)
    queue.addComment()
    #expect(Array(queue.take(atMost: 1_000)) == Self.message(.event, "e").frame && queue.isEmpty)
  }
}
