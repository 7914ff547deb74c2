import Testing

@testable import DBus

@Suite struct DBusFailureTests {
  @Test(
    arguments: [
      (.nanoseconds(7_997_613_071), "no answer within 8.0 s"), (.milliseconds(20), "no answer within 0.0 s"),
      (.milliseconds(1_460), "no answer within 1.5 s"), (.seconds(30), "no answer within 30.0 s"),
    ] as [(Duration, String)])
  func `a time-out is said in seconds, to the tenth`(deadline: Duration, text: String) {
    #expect("\(DBusFailure.timedOut(after: deadline))" == text)
  }
}
