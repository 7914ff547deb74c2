import EventLoops
import FleetModel
import Testing

@testable import Web

@Suite struct EventStreamsTests {
  private static let event = StreamMessage(.event, topic: "e", payload: Array("1".utf8))

  /// All that a stream has to say.
  private static func taken(_ streams: EventStreams, _ number: UInt, at now: Duration = .zero) -> [UInt8]? {
    var bytes: [UInt8] = []
    while let piece = streams.take(number, atMost: 1_000, at: now) {
      guard !piece.isEmpty else { return bytes }
      bytes += piece
    }
    return nil
  }

  @Test func `F239 so many may watch, and no more until one has left`() throws {
    let streams = EventStreams()
    let numbers = (0..<EventStreams.most).compactMap { _ in streams.open(live: [], at: .zero) }
    #expect(numbers.count == EventStreams.most)
    #expect(streams.open(live: [], at: .zero) == nil)
    streams.close(try #require(numbers.first))
    #expect(streams.open(live: [], at: .zero) != nil)
  }

  @Test func `whoever watches gets what is published, and the server is woken once`() throws {
    let streams = EventStreams()
    let woken = Guarded(0)
    streams.whenReady { woken.withLock { $0 += 1 } }
    streams.publish([Self.event])
    let (one, other) = (
      try #require(streams.open(live: [], at: .zero)), try #require(streams.open(live: [], at: .zero))
    )
    for number in [one, other] { #expect(Self.taken(streams, number) == StreamQueue.comment) }
    #expect(!streams.isReady(one) && woken.withLock { $0 } == 0)
    streams.publish([Self.event])
    streams.publish([Self.event])
    #expect(streams.isReady(one) && woken.withLock { $0 } == 1)
    #expect(Self.taken(streams, other) == Self.event.frame + Self.event.frame)
    streams.noteLooked()
    streams.publish([Self.event])
    #expect(woken.withLock { $0 } == 2)
  }

  @Test func `who has had nothing for 15 s hears that we are there`() throws {
    let streams = EventStreams()
    let number = try #require(streams.open(live: [], at: .zero))
    _ = Self.taken(streams, number)
    streams.keepAlive(at: .seconds(14))
    #expect(!streams.isReady(number))
    streams.keepAlive(at: .seconds(15))
    #expect(Self.taken(streams, number, at: .seconds(15)) == StreamQueue.comment)
    streams.keepAlive(at: .seconds(29))
    #expect(!streams.isReady(number))
  }

  @Test func `a stream that is over says so, as does one that is none`() throws {
    let streams = EventStreams()
    let number = try #require(streams.open(live: [], at: .zero))
    let large = StreamMessage(
      .event, topic: "e", payload: [UInt8](repeating: UInt8(ascii: "1"), count: StreamQueue.mostBytes))
    streams.publish([large])
    #expect(streams.isReady(number) && Self.taken(streams, number) == nil)
    streams.close(number)
    #expect(streams.isIdle && streams.isReady(number) && Self.taken(streams, number) == nil)
  }
}
