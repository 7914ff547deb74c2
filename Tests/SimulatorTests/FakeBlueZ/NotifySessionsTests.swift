import DBus
import Testing

@testable import Simulator

struct NotifySessionsTests {
  @Test func `Only the first session starts and only the last one stops`() throws {
    var sessions = NotifySessions()
    #expect(try sessions.start(":1.1"))
    #expect(try !sessions.start(":1.1") && !sessions.start(":1.2"))
    #expect(try sessions.stop(":1.1") == .sessionEnded)
    #expect(throws: DBusFailure.noNotifySession) { try sessions.stop(":1.1") }
    let afterFirst = sessions.clientLeft(":1.1")
    let afterLast = sessions.clientLeft(":1.2")
    #expect(!afterFirst && afterLast)
  }

  @Test func `Signals and socket exclude each other, and anybody may end the socket`() throws {
    var sessions = NotifySessions()
    try sessions.acquire()
    #expect(throws: DBusFailure.notifyAcquired) { try sessions.acquire() }
    #expect(throws: DBusFailure.notifyAcquired) { try sessions.start(":1.1") }
    #expect(try sessions.stop(":1.2") == .released)
    _ = try sessions.start(":1.1")
    #expect(throws: DBusFailure.notifying) { try sessions.acquire() }
  }
}
