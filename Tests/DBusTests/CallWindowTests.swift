import Testing

@testable import DBus

@Suite struct CallWindowTests {
  /// Sends whatever may be sent, with its own number as serial.
  private func send(_ window: inout CallWindow<UInt32>) -> [UInt32] {
    var sent: [UInt32] = []
    while let call = window.next() {
      window.sent(call, serial: call)
      sent.append(call)
    }
    return sent
  }

  @Test func `calls beyond the limit wait in order`() {
    var window = CallWindow<UInt32>(limit: 2)
    for call in 1...5 { window.enter(UInt32(call)) }
    #expect(send(&window) == [1, 2])
    #expect(window.answered(serial: 2) == 2)
    #expect(send(&window) == [3])
    window.abandon(4, serial: nil)
    #expect(window.answered(serial: 1) == 1)
    #expect(send(&window) == [5])
  }

  @Test func `abandoned calls make room and their late answers are for nobody`() {
    var window = CallWindow<UInt32>(limit: 1)
    window.enter(1)
    window.enter(2)
    #expect(send(&window) == [1])
    window.abandon(1, serial: 1)
    #expect(send(&window) == [2])
    #expect(window.answered(serial: 1) == nil)
    #expect(window.answered(serial: 2) == 2)
    #expect(window.answered(serial: 2) == nil)
  }

  @Test func `calls that are never answered exhaust the connection and late answers heal it`() {
    var window = CallWindow<UInt32>(limit: 64, abandonedLimit: 3)
    for call: UInt32 in 1...3 {
      window.enter(call)
      _ = send(&window)
      #expect(!window.isExhausted)
      window.abandon(call, serial: call)
    }
    #expect(window.isExhausted)
    _ = window.answered(serial: 2)
    #expect(!window.isExhausted)
  }
}
