import Testing

@testable import MetaMotion

@Suite struct StaleSubscriptionsTests {
  private func noting(_ packets: [String]) -> StaleSubscriptions {
    var staleSubscriptions = StaleSubscriptions()
    for packet in packets {
      PacketDecoder.header(of: bytes(packet).span.bytes).map { staleSubscriptions.note($0) }
    }
    return staleSubscriptions
  }

  @Test(
    arguments: [
      ("1305 3e43 ff7f 0080", "130500"), ("1304 3e43 ff7f 0080", "130400"), ("1403 ed92b000", "140300"),
      ("1505 4ef0 530a 7504", "150500"), ("1201 00000000", "120100"), ("1907 00", "190700"),
      ("010101", "010100"),
      ("1111 01", "111100"), ("050a 00 01", "050a00"), ("0319 01", "031900"),
    ])
  func `F55 streams of any module are switched off, each once`(packet: String, write: String) {
    var staleSubscriptions = noting([packet, packet, packet])
    #expect(staleSubscriptions.take(except: []).map(\.unsubscribe) == [bytes(write)])
    #expect(staleSubscriptions.isEmpty)
  }

  @Test(
    arguments: [
      "1385 00", "0b07 a0 0000", "0b0d", "0903 00 01", "0c06 00", "0f07 00", "04 81 00 0000", "77 01 00",
      "13", "",
    ])
  func `F55 answers, logs, and what has an owner are let alone`(packet: String) {
    #expect(noting([packet]).isEmpty)
  }

  @Test func `what has been ordered meanwhile stays`() {
    var staleSubscriptions = noting(["0304 0010 00f0 0000", "010101"])
    #expect(staleSubscriptions.take(except: [Accelerometer.data]) == [Switch.state])
  }

  @Test func `F55 a board that does not listen is told three times`() {
    var staleSubscriptions = StaleSubscriptions()
    var told = 0
    for _ in 0..<100 {
      staleSubscriptions.note(Register(.gyroscope, 5).notificationHeader)
      told += staleSubscriptions.take(except: []).count
    }
    #expect(told == StaleSubscriptions.maximumAttempts)
  }
}
