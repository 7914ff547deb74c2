import Dialects
import Testing

@Suite struct BrokerFailureTests {
  @Test(
    arguments: [
      (.unreachable("Connection refused"), "the broker cannot be reached: Connection refused"),
      (.connectionLost("closed"), "the connection was lost: closed"),
      (.refused(0x97, "Quota exceeded"), "the broker refused (0x97): Quota exceeded"),
      (.misuse("x"), "internal MQTT error: x; please report it"),
    ] as [(BrokerFailure, String)])
  func `a failure of the broker is a sentence wherever it is printed`(failure: BrokerFailure, text: String) {
    #expect("\(failure)" == text)
  }
}
