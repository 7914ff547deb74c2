import Testing

@testable import EventLoops

@Suite struct MailboxTests {
  private let item = Mailbox.Item.callback {}

  @Test func `only the first item needs to wake the thread`() {
    var mailbox = Mailbox()
    #expect(mailbox.put(item) == .wake)
    #expect(mailbox.put(item) == .nothing)
    #expect(mailbox.takeAll().count == 2)
    #expect(mailbox.put(item) == .wake)
  }

  @Test func `the thread ends only when asked and only with an empty mailbox`() {
    var mailbox = Mailbox()
    #expect(mailbox.endIfDone() == false)
    #expect(mailbox.requestStop() == true)
    #expect(mailbox.requestStop() == false)
    _ = mailbox.put(item)
    #expect(mailbox.endIfDone() == false)
    _ = mailbox.takeAll()
    #expect(mailbox.endIfDone() == true)
    #expect(mailbox.phase == .ended)
  }

  @Test func `late items get a thread each time there is none`() {
    var mailbox = Mailbox()
    _ = mailbox.requestStop()
    _ = mailbox.endIfDone()
    #expect(mailbox.put(item) == .revive)
    #expect(mailbox.put(item) == .nothing)
    #expect(mailbox.endIfDone() == false)
    _ = mailbox.takeAll()
    #expect(mailbox.endIfDone() == true)
    #expect(mailbox.put(item) == .revive)
  }
}
