import Testing

@testable import Mosquitto

@Suite struct OutstandingMessagesTests {
  @Test func `I11 each token comes back for its id, once`() {
    var messages = OutstandingMessages()
    messages.add(1, token: 10)
    messages.add(2, token: 20)
    #expect(messages.remove(2) == 20)
    #expect(messages.remove(2) == nil)
    #expect(messages.remove(3) == nil)
    #expect(!messages.isEmpty)
    #expect(messages.remove(1) == 10)
    #expect(messages.isEmpty)
  }

  @Test func `what is left comes in the order of publishing, once`() {
    var messages = OutstandingMessages()
    for id: Int32 in [65_534, 65_535, 1, 2] { messages.add(id, token: UInt64(id)) }
    _ = messages.remove(65_535)
    #expect(messages.removeAll() == [65_534, 1, 2])
    #expect(messages.removeAll() == [])
  }

  @Test func `F64 before ids come round, a message that still waits is noticed`() {
    var messages = OutstandingMessages()
    messages.add(1, token: 1)
    var dealt = 1
    while !messages.isOverdue, dealt < 65_535 {
      messages.passOver()
      dealt += 1
    }
    #expect(messages.isOverdue)
    #expect(dealt < 65_535)
  }

  @Test func `acknowledged messages are never overdue`() {
    var messages = OutstandingMessages()
    for number in 0..<200_000 {
      let id = Int32(number % 65_535 + 1)
      messages.add(id, token: 0)
      _ = messages.remove(id)
    }
    #expect(!messages.isOverdue)
  }
}
