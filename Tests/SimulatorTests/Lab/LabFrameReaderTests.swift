import Testing

@testable import Simulator

@Suite struct LabFrameReaderTests {
  @Test func `frames are cut whatever the pieces they come in`() {
    let bytes = [UInt8](hex: "00000001 02 00000002 03 13")
    for cut in 0...bytes.count {
      var reader = LabFrameReader()
      var frames: [[UInt8]] = []
      for piece in [bytes[..<cut], bytes[cut...]] {
        reader.append(piece)
        while case .frame(let frame) = reader.next() { frames.append(frame) }
      }
      #expect(frames == [[2], [3, 0x13]], "cut after \(cut) bytes")
    }
  }

  @Test(
    arguments: [
      ("00000000", .nonsense), ("00010001", .nonsense), ("ffffffff", .nonsense), ("00010000", .incomplete),
      ("0000", .incomplete),
    ] as [(String, LabFrameReader.Outcome)])
  func `a length that no frame has ends the conversation`(bytes: String, outcome: LabFrameReader.Outcome) {
    var reader = LabFrameReader()
    reader.append([UInt8](hex: bytes))
    #expect(reader.next() == outcome)
  }
}
