import Dialects
import Testing

@testable import Mosquitto

@Suite struct BrokerFailureCodesTests {
  private func kind(_ failure: BrokerFailure?) -> String {
    switch failure {
    case nil: "none"
    case .unreachable: "unreachable"
    case .unusableSecret: "unusable"
    case .insecure: "insecure"
    case .notAuthorised: "notAuthorised"
    case .denied: "denied"
    case .unsupportedProtocol: "unsupportedProtocol"
    case .sessionTakenOver: "sessionTakenOver"
    case .connectionLost: "connectionLost"
    case .refused: "refused"
    case .tooLarge: "tooLarge"
    case .misuse: "misuse"
    }
  }

  // MQTT 3.1.1, section 3.2.2.3; MQTT 5, section 3.2.2.2.
  @Test(arguments: [
    (0, "none"), (1, "unsupportedProtocol"), (2, "notAuthorised"), (3, "unreachable"), (4, "notAuthorised"),
    (5, "notAuthorised"), (0x84, "unsupportedProtocol"), (0x85, "notAuthorised"), (0x86, "notAuthorised"),
    (0x87, "notAuthorised"), (0x88, "unreachable"), (0x89, "unreachable"), (0x8A, "notAuthorised"),
    (0x90, "refused"), (0x95, "refused"), (0x9D, "unreachable"),
  ])
  func `a connection's answer`(code: UInt8, expected: String) {
    #expect(kind(BrokerFailure(connectCode: code)) == expected)
  }

  // MQTT 5, section 3.4.2.1. 0x10: nobody subscribes, which is no failure of ours.
  @Test(arguments: [
    (0, "none"), (0x10, "none"), (0x80, "refused"), (0x87, "denied"), (0x95, "tooLarge"),
    (0x97, "refused"),
  ])
  func `F66 a message's answer`(code: UInt8, expected: String) {
    #expect(kind(BrokerFailure(acknowledgementCode: code)) == expected)
  }

  @Test(arguments: [
    (0x8E, "sessionTakenOver"), (0x87, "notAuthorised"), (0x8B, "connectionLost"), (0, "connectionLost"),
    (7, "connectionLost"), (14, "connectionLost"), (19, "connectionLost"), (8, "insecure"),
  ])
  func `the end of a connection`(code: Int32, expected: String) {
    #expect(kind(BrokerFailure(disconnectCode: code, number: 104)) == expected)
  }

  @Test func `the system's words are passed on`() {
    #expect(
      BrokerFailure(libraryCode: 14, number: 111, detail: "") == .unreachable("Connection refused"))
    #expect(BrokerFailure(disconnectCode: 14, number: 110) == .connectionLost("Connection timed out"))
    #expect(
      BrokerFailure(libraryCode: 8, number: 0, detail: "certificate expired")
        == .insecure("certificate expired"))
  }

  @Test func `the library's sentences become parts of ours`() {
    #expect(BrokerFailure(connectCode: 5) == .notAuthorised("not authorised"))
    #expect(BrokerFailure(disconnectCode: 7, number: 0) == .connectionLost("the broker closed it"))
    // F70 whoever is put out while he speaks hears of it by a reset, or by his next word.
    for number: Int32 in [32, 104] {
      #expect(BrokerFailure(disconnectCode: 14, number: number) == .closedByBroker)
    }
    #expect(
      BrokerFailure(disconnectCode: 4, number: 0) == .connectionLost("The client is not currently connected"))
  }
}
