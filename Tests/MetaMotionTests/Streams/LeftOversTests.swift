import Testing

@testable import MetaMotion

@Suite struct LeftOversTests {
  private func noting(_ packets: [String]) -> LeftOvers {
    var leftOvers = LeftOvers()
    for packet in packets { PacketDecoder.header(of: bytes(packet).span.bytes).map { leftOvers.note($0) } }
    return leftOvers
  }

  @Test(
    "F55 streams of any module are switched off, each once",
    arguments: [
      ("1305 3e43 ff7f 0080", "130500"), ("1304 3e43 ff7f 0080", "130400"), ("1403 ed92b000", "140300"),
      ("1505 4ef0 530a 7504", "150500"), ("1201 00000000", "120100"), ("1907 00", "190700"),
      ("010101", "010100"),
      ("1111 01", "111100"), ("050a 00 01", "050a00"), ("0319 01", "031900"),
    ])
  func unsubscribed(packet: String, write: String) {
    var leftOvers = noting([packet, packet, packet])
    #expect(leftOvers.take(except: []).map(\.unsubscribe) == [bytes(write)])
    #expect(leftOvers.isEmpty)
  }

  @Test(
    "F55 answers, logs, and what has an owner are let alone",
    arguments: [
      "1385 00", "0b07 a0 0000", "0b0d", "0903 00 01", "0c06 00", "0f07 00", "04 81 00 0000", "77 01 00",
      "13", "",
    ])
  func letAlone(packet: String) { #expect(noting([packet]).isEmpty) }

  @Test func whatHasBeenOrderedMeanwhileStays() {
    var leftOvers = noting(["0304 0010 00f0 0000", "010101"])
    #expect(leftOvers.take(except: [Accelerometer.data]) == [Switch.state])
  }

  @Test("F55 a board that does not listen is told three times")
  func deaf() {
    var leftOvers = LeftOvers()
    var told = 0
    for _ in 0..<100 {
      leftOvers.note(Register(.gyroscope, 5).notificationHeader)
      told += leftOvers.take(except: []).count
    }
    #expect(told == LeftOvers.patience)
  }
}
