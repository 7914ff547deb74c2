import FleetModel
import Testing

@Suite struct ReadingBufferTests {
  @Test func `samples of any width lie one after the other`() {
    var buffer = ReadingBuffer()
    let (one, other) = (StreamKey(0), StreamKey(1))
    let time = Timestamp(milliseconds: 5)
    buffer.append(one, at: time, 1)
    buffer.append(other, at: time, 2, 3)
    buffer.append(one, at: time, 4, 5, 6)
    buffer.append(other, at: time, [7, 8, 9, 10])
    #expect(buffer.values == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    #expect(buffer.entries.map(\.values) == [0..<1, 1..<3, 3..<6, 6..<10])
    #expect(buffer.entries.map(\.stream) == [one, other, one, other])
  }

  @Test func `vectors are read in place and a rest is left`() {
    var buffer = ReadingBuffer()
    let bytes: [UInt8] = [1, 0, 0xFF, 0xFF, 0, 0x80, 2, 0, 3, 0, 4, 0, 9]
    buffer.append(StreamKey(0), at: Timestamp(nanoseconds: -1), 7)
    buffer.append(
      StreamKey(1), at: Timestamp(nanoseconds: 100), every: 10, vectors: bytes.span.bytes, scale: 0.5)
    #expect(buffer.values == [7, 0.5, -0.5, -16_384, 1, 1.5, 2])
    #expect(buffer.entries.map(\.values) == [0..<1, 1..<4, 4..<7])
    #expect(buffer.entries.map(\.time.nanoseconds) == [-1, 100, 110])
    buffer.append(StreamKey(1), at: Timestamp(nanoseconds: 0), every: .max, vectors: RawSpan(), scale: 1)
    #expect(buffer.entries.count == 3)
  }

  @Test func `what was there before an emptying shows neither in copies nor in what is lent`() {
    var buffer = ReadingBuffer()
    let bytes: [UInt8] = [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]
    buffer.append(
      StreamKey(0), at: Timestamp(milliseconds: 5), every: 10, vectors: bytes.span.bytes, scale: 1)
    buffer.removeAll()
    #expect(buffer.entries.isEmpty && buffer.values.isEmpty && buffer.count == 0)
    buffer.append(StreamKey(1), at: Timestamp(milliseconds: 6), 7, 8)
    #expect(buffer.values == [7, 8] && buffer.count == 1)
    var lent: [[Double]] = []
    buffer.read { entries, values in
      for index in entries.indices { lent.append(entries[index].values.map { values[$0] }) }
      #expect(entries.count == 1 && values.count == 2)
    }
    #expect(lent == [[7, 8]])
  }
}
