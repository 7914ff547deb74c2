import Testing

@testable import metafleet

@Suite struct LineBufferTests {
  private func lines(_ pieces: [String]) -> [String] {
    var buffer = LineBuffer()
    return pieces.flatMap { buffer.take($0.utf8) } + (buffer.flush().map { [$0] } ?? [])
  }

  @Test func `lines come whole, however they arrive`() {
    #expect(lines(["dro", "p 1\nmute", " 2\r\n", "\nend"]) == ["drop 1", "mute 2", "", "end"])
    #expect(lines(["drop 1\n"]) == ["drop 1"])
    #expect(lines([]) == [])
  }

  @Test func `a line without end costs no memory`() {
    let taken = lines([String(repeating: "x", count: 1_000_000) + "\nnext\n"])
    #expect(taken.map(\.count) == [LineBuffer.longest, 4])
  }
}
