import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Entries of a log, and the samples they are parts of (protocol reference, sections 16.4 and 16.6).
@Suite struct LogEntryDecoderTests {
  private static let acceleration = SampleLayout.numbers(
    Numbers(channels: 3, width: 2, isSigned: true, scale: 8192, unit: .g))

  private static func stream(_ slots: [Int], _ layout: SampleLayout = acceleration) -> LoggedStream {
    LoggedStream(name: "acceleration", fields: [], slots: slots, layout: layout.encoded)
  }

  /// One raw entry.
  private func entry(_ slot: UInt8, at tick: UInt32, _ data: [UInt8], resetID: UInt8 = 5) -> [UInt8] {
    var entry = [resetID << 5 | slot]
    entry.append(number: tick)
    return entry + data + Array(repeating: 0, count: 4 - data.count)
  }

  private func decode(
    _ entries: [[UInt8]], by decoder: inout LogEntryDecoder
  ) -> (ticks: [UInt32], values: [[Double]]) {
    var decoded = DecodedLog()
    decoder.decode(entries.flatMap(\.self), into: &decoded)
    return (decoded.entries.map(\.clock.tick), decoded.entries.map { Array(decoded.values[$0.values]) })
  }

  private func x(_ value: Int16) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: value)
    return bytes + [0, 0]
  }

  private func decoder(rest: [UInt8] = []) -> LogEntryDecoder {
    LogEntryDecoder([Self.stream([0, 1])], rest: rest)
  }

  @Test func `a sample of two parts is put together`() {
    var decoder = decoder()
    let (ticks, values) = decode(
      [entry(0, at: 7, [0, 0x40, 0, 0xE0]), entry(1, at: 8, [0, 0x20])], by: &decoder)
    #expect(ticks == [7])
    #expect(values == [[2, -1, 1]])
    #expect(decoder.rest.isEmpty)
  }

  @Test func `F45 two samples on one tick are paired by their order, whatever came between`() {
    var decoder = decoder()
    let (ticks, values) = decode(
      [
        entry(0, at: 9, x(8192)), entry(0, at: 9, x(16384)), entry(1, at: 9, [0, 0x20]),
        entry(1, at: 9, [0, 0x40]),
      ], by: &decoder)
    #expect(ticks == [9, 9])
    #expect(values == [[1, 0, 1], [2, 0, 2]])
  }

  @Test
  func `F151 a part whose time is wrong belongs to its sample by its order, and the others tell its time`() {
    var (decoder, decoded) = (decoder(), DecodedLog())
    let entries = [
      entry(0, at: 10, x(1)), entry(1, at: 10, [1, 0]), entry(0, at: 9_999_999, x(2), resetID: 2),
      entry(1, at: 17, [2, 0]), entry(0, at: 24, x(3)), entry(1, at: 77, [3, 0]), entry(0, at: 3, x(4)),
      entry(1, at: 888, [4, 0]), entry(0, at: 38, x(5)), entry(1, at: 39, [5, 0]),
    ]
    let bytes = entries.flatMap(\.self)
    decoder.decode(bytes.span.bytes, doubtful: [2, 5, 6, 7], into: &decoded)
    let values = decoded.entries.map { decoded.values[$0.values].map { Int($0 * 8192) } }
    #expect(values == (1...5).map { [$0, 0, $0] })
    #expect(decoded.entries.map(\.isDoubtful) == [false, false, false, true, false])
    #expect(decoded.entries.map(\.clock.tick) == [10, 17, 24, 24, 38])
    #expect(decoded.entries.allSatisfy { $0.clock.resetID == 5 })
  }

  @Test func `F45 the second part may come first`() {
    var decoder = decoder()
    let (ticks, values) = decode(
      [entry(1, at: 0xFFFF_FFFF, [0, 0x20]), entry(0, at: 0, x(8192))], by: &decoder)
    #expect(ticks == [0])
    #expect(values == [[1, 0, 1]])
  }

  @Test func `F45 a part whose sample is incomplete does not shift those behind it`() {
    var decoder = decoder()
    // Logging began in the midst of a sample, and ended in the midst of another.
    let (ticks, values) = decode(
      [
        entry(1, at: 10, [0, 0x60]), entry(0, at: 24, x(8192)), entry(1, at: 24, [0, 0x20]),
        entry(0, at: 38, x(24576)), entry(0, at: 900, x(16384)), entry(1, at: 901, [0, 0x40]),
      ], by: &decoder)
    #expect(ticks == [24, 900])
    #expect(values == [[1, 0, 1], [2, 0, 2]])
    #expect(decoder.rest.isEmpty)
  }

  @Test func `a reset ends what is incomplete`() {
    var decoder = decoder()
    let (ticks, values) = decode(
      [
        entry(0, at: 24, x(8192), resetID: 5), entry(0, at: 24, x(16384), resetID: 6),
        entry(1, at: 24, [0, 0x40], resetID: 6),
      ], by: &decoder)
    #expect(ticks == [24])
    #expect(values == [[2, 0, 2]])
  }

  @Test func `what is incomplete is the beginning of the next`() {
    var first = decoder()
    let whole = [
      entry(0, at: 1, x(8192)), entry(1, at: 1, [0, 0x20]), entry(1, at: 3, [0, 0x40]),
      entry(0, at: 3, x(16384)),
    ]
    for cut in 0...whole.count {
      first = decoder()
      let begun = decode(Array(whole[..<cut]), by: &first)
      var second = decoder(rest: first.rest)
      let ended = decode(Array(whole[cut...]), by: &second)
      #expect(begun.ticks + ended.ticks == [1, 3])
      #expect(begun.values + ended.values == [[1, 0, 1], [2, 0, 2]])
    }
    first = decoder()
    _ = decode(Array(whole[..<3]), by: &first)
    #expect(first.rest == whole[2])
  }

  @Test func `F40 entries of loggers that nobody knows are counted and change nothing`() {
    var decoder = LogEntryDecoder(
      [Self.stream([0, 1]), LoggedStream(name: "lost", fields: [], slots: [4], layout: [])], rest: [])
    var decoded = DecodedLog()
    let all = [
      entry(0, at: 1, x(8192)), entry(3, at: 1, [9]), entry(4, at: 1, [9]), entry(3, at: 2, [9]),
      entry(1, at: 1, [0, 0x20]),
    ]
    decoder.decode(all.flatMap(\.self), into: &decoded)
    #expect(decoded.unknown == [3: 2, 4: 1])
    #expect(decoded.entries.map(\.stream) == [0])
    #expect(decoder.rest.isEmpty)
  }

  @Test func `a part that never comes does not fill the memory`() {
    var decoder = decoder()
    let (ticks, _) = decode((0..<1000).map { entry(0, at: $0, x(0)) }, by: &decoder)
    #expect(ticks == [])
    #expect(decoder.rest.count == LogEntryQueues.capacity * LogEntry.size)
  }

  @Test func `a piece of an entry is none`() {
    var decoder = decoder()
    let (ticks, _) = decode([Array(entry(0, at: 1, x(1)).prefix(8))], by: &decoder)
    #expect(ticks == [])
    #expect(decoder.rest.isEmpty)
  }

  @Test func `flags are one or nothing`() {
    let field = StreamDefinition.Field("pressed", "", .flag)
    let stream = LoggedStream(
      name: "switch", fields: [field], slots: [2], layout: SampleLayout.numbers(.plain(1)).encoded)
    var decoder = LogEntryDecoder([stream], rest: [])
    let (_, values) = decode([entry(2, at: 1, [2]), entry(2, at: 2, [0])], by: &decoder)
    #expect(values == [[1], [0]])
  }

  @Test func `an accounters tick is the samples`() {
    let layout = SampleLayout.prefixed(.init(kind: .tick, width: 2), .numbers(.plain(1)))
    var decoder = LogEntryDecoder([Self.stream([0], layout)], rest: [])
    let (ticks, values) = decode([entry(0, at: 0x0003_0005, [0xF0, 0xFF, 9])], by: &decoder)
    #expect(ticks == [0x0002_FFF0])
    #expect(values == [[9]])
  }

  @Test(arguments: SampleLayoutRecordTests.layouts)
  func `samples are read as notifications are`(_ layout: SampleLayout) throws {
    var random = SystemRandomNumberGenerator()
    let slots = Array(0..<((layout.byteCount + 3) / 4))
    for _ in 0..<50 {
      let sample = (0..<layout.byteCount).map { _ in UInt8.random(in: 0...0x7E, using: &random) }
      var decoder = LogEntryDecoder([Self.stream(slots, layout)], rest: [])
      let entries = slots.map { slot in
        entry(UInt8(slot), at: 77, Array(sample[(4 * slot)..<min(4 * slot + 4, sample.count)]))
      }
      let (ticks, values) = decode(entries, by: &decoder)
      let streamed = try #require(layout.samples(in: sample))
      #expect(values == streamed.map(\.published))
      #expect(ticks.count == streamed.count)
    }
  }

  @Test func `the format tells its time`() throws {
    let format = try #require(MetaMotionFamily.descriptor.logFormat)
    #expect(format.entrySize == 9)
    let raw = bytes("e095998800 07000000 a1 01000000 00000000")
    let clocks = [0, 9, 10, -1].map { format.clock(raw.span.bytes, $0) }
    #expect(clocks == [BoardTick(resetID: 7, tick: 0x0088_9995), BoardTick(resetID: 5, tick: 1), nil, nil])
    #expect(format.timing == BoardTiming(nanoseconds: 5_859_375, perTicks: 4, resetIDs: 8))
  }
}
