import FleetModel
import Testing

@Suite struct ReadingBufferTests {
  @Test func samplesOfAnyWidthLieOneAfterTheOther() {
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

  @Test func isEmptyAfterwards() {
    var buffer = ReadingBuffer()
    buffer.append(StreamKey(0), at: Timestamp(milliseconds: 5), 1)
    buffer.removeAll()
    #expect(buffer.entries.isEmpty && buffer.values.isEmpty)
  }
}
