import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct UnpersistedMessagesTests {
  private func message(
    _ topic: String, _ deliveryClass: DeliveryClass = .state, bytes: Int = 10, isRetained: Bool = false
  ) -> OutboxMessage {
    OutboxMessage(
      MQTTMessage(topic: topic, payload: Array(repeating: 0, count: bytes), isRetained: isRetained),
      as: deliveryClass, created: .at(0))
  }

  private func topics(_ messages: [OutboxMessage]) -> [String] { messages.map(\.topic) }

  @Test func `F134 what the disk takes goes whole, or piece by piece where much gathered, in order`() {
    var unpersisted = UnpersistedMessages()
    for number in 0..<5 { unpersisted.keep(message("\(number)", bytes: 40)) }
    let first = unpersisted.take(piece: 100, isLow: false)
    #expect(topics(first) == ["0", "1", "2"] && unpersisted.bytes == 80)
    let rest = unpersisted.take(piece: 100, isLow: false)
    #expect(topics(rest) == ["3", "4"])
    #expect(unpersisted.waiting.isEmpty && unpersisted.bytes == 0)
  }

  @Test
  func `F136 as long as what tells a hole waits the session before it stays open, and it waits for the disk`()
  {
    var unpersisted = UnpersistedMessages()
    var told = message("told", .event)
    told.closes = [.seeded(1)]
    for next in [message("first", bytes: 100), told, message("last", .event)] { unpersisted.keep(next) }
    let piece = unpersisted.take(piece: 50, isLow: false)
    #expect(topics(piece) == ["first"] && unpersisted.openSessions == [.seeded(1)])
    _ = unpersisted.written()
    let out = unpersisted.takeForBroker(atMost: 10)
    #expect(topics(out.map(\.message)) == ["last"] && topics(unpersisted.waiting) == ["told"])
    _ = unpersisted.take(piece: 50, isLow: false)
    #expect(unpersisted.openSessions.isEmpty)
  }

  @Test func `F134 where little is left of the disk samples wait, and nothing else does`() {
    var unpersisted = UnpersistedMessages()
    for (topic, deliveryClass) in [("a", .record), ("b", .state), ("c", .record)]
      as [(String, DeliveryClass)]
    {
      unpersisted.keep(message(topic, deliveryClass))
    }
    let taken = unpersisted.take(piece: 1_000, isLow: true)
    #expect(topics(taken) == ["b"])
    #expect(topics(unpersisted.waiting) == ["a", "c"])
    unpersisted.putBack([message("b")])
    #expect(topics(unpersisted.waiting) == ["b", "a", "c"] && unpersisted.bytes == 30)
  }

  @Test
  func `F134 everything but samples goes out from memory; what the broker refuses comes back for the disk`()
    throws
  {
    var unpersisted = UnpersistedMessages()
    for (topic, deliveryClass) in [("a", .state), ("b", .record), ("c", .event), ("d", .state)]
      as [(String, DeliveryClass)]
    {
      unpersisted.keep(message(topic, deliveryClass))
    }
    let said = unpersisted.takeForBroker(atMost: 2)
    #expect(said.map(\.message.topic) == ["a", "c"] && topics(unpersisted.waiting) == ["b", "d"])
    #expect(
      said.allSatisfy { $0.token > UnpersistedMessages.firstToken } && Set(said.map(\.token)).count == 2)
    unpersisted.answered(said[0].token, isDelivered: true)
    unpersisted.answered(said[1].token, isDelivered: false)
    let taken = unpersisted.take(piece: 1_000, isLow: false)
    #expect(topics(taken) == ["c", "b", "d"])
  }

  @Test func `F134 a new connection takes up again what was under way, before all that came after it`() {
    var unpersisted = UnpersistedMessages()
    let before = unpersisted.connectionOpened()
    unpersisted.keep(message("a"))
    _ = unpersisted.takeForBroker(atMost: 1)
    unpersisted.keep(message("b"))
    let (first, second) = (unpersisted.connectionOpened(), unpersisted.connectionOpened())
    #expect(!before && first && !second)
    #expect(topics(unpersisted.waiting) == ["a", "b"] && unpersisted.bytes == 20)
  }

  @Test func `F134 what went out from memory is not taken back by what is older on the disk`() {
    var unpersisted = UnpersistedMessages()
    let state = message("state", isRetained: true)
    unpersisted.keep(state)
    #expect(!unpersisted.isSuperseded("state"))
    _ = unpersisted.takeForBroker(atMost: 1)
    #expect(unpersisted.isSuperseded("state") && unpersisted.retainedTopics == ["state"])
    let rows = [state, message("state")].enumerated().map { OutboxRow(id: OutboxRow.ID($0), message: $1) }
    let (current, old) = unpersisted.split(rows)
    #expect(current.map(\.id) == [1] && old.map(\.id) == [0])
    // The next one goes to the disk, and another goes out while it is being written.
    unpersisted.keep(state)
    _ = unpersisted.take(piece: 1_000, isLow: false)
    #expect(!unpersisted.isSuperseded("state"))
    unpersisted.keep(state)
    _ = unpersisted.takeForBroker(atMost: 1)
    #expect(unpersisted.isSuperseded("state"))
  }

  @Test
  func
    `F95 what goes out while it is being written is newer than what the disk has, and is not lost with the commit`()
  {
    var unpersisted = UnpersistedMessages()
    var entries: [HistoryEntry] = []
    for topic in ["a", "b", "c", "d"] {
      var event = message(topic, .event, isRetained: true)
      entries.append(HistoryEntry(time: .at(0), kind: topic, isOfGateway: true, document: []))
      event.history = entries.last
      unpersisted.keep(event)
    }
    func write() -> [OutboxRow.ID] {
      _ = unpersisted.take(piece: 1_000, isLow: false)
      let said = unpersisted.takeForBroker(atMost: 3)
      unpersisted.answered(said[0].token, isDelivered: true)
      unpersisted.answered(said[1].token, isDelivered: false)
      return said.map(\.token)
    }
    let tokens = write()
    #expect(unpersisted.isSuperseded("a") && !unpersisted.isSuperseded("b") && unpersisted.isSuperseded("c"))
    unpersisted.notWritten()
    // The broker has the first, so only the history misses it; the third is on its way.
    #expect(topics(unpersisted.waiting) == ["b", "d"] && unpersisted.takeUnrecorded() == [entries[0]])
    unpersisted.answered(tokens[2], isDelivered: true)
    #expect(unpersisted.takeUnrecorded() == [entries[2]])
    // Where the disk took it, it has the history as well, and sends what the broker has not answered for.
    let others = write()
    #expect(others.count == 2 && unpersisted.written() == [0])
    unpersisted.answered(others[1], isDelivered: true)
    #expect(unpersisted.waiting.isEmpty && !unpersisted.hasUnrecorded)
  }

  @Test func `F216 an event that went out without the disk waits for the history, once the broker has it`() {
    var unpersisted = UnpersistedMessages()
    let entries = (0..<3).map {
      HistoryEntry(time: .at(Int64($0)), kind: "tap", isOfGateway: true, document: [UInt8($0)])
    }
    for entry in entries {
      var event = message("e", .event)
      event.history = entry
      unpersisted.keep(event)
    }
    let published = unpersisted.takeForBroker(atMost: 3)
    unpersisted.answered(published[0].token, isDelivered: true)
    unpersisted.answered(published[1].token, isDelivered: false)
    // What was refused goes to the disk, and what was under way goes again: both with what the history keeps of them.
    #expect(unpersisted.hasUnrecorded)
    #expect(unpersisted.takeUnrecorded() == [entries[0]])
    _ = unpersisted.connectionOpened()
    #expect(unpersisted.take(piece: 1_000, isLow: false).map(\.history) == [entries[1], entries[2]])
    #expect(!unpersisted.hasUnrecorded)
    unpersisted.putBack(unrecorded: entries)
    #expect(unpersisted.takeUnrecorded() == entries)
  }

  @Test func `F215 of events that went out without the disk the latest wait`() {
    var unpersisted = UnpersistedMessages()
    let limit = UnpersistedMessages.mostUnrecorded
    unpersisted.putBack(
      unrecorded: (0..<limit + 5).map {
        HistoryEntry(time: .at(Int64($0)), kind: "tap", isOfGateway: true, document: [])
      })
    let left = unpersisted.takeUnrecorded()
    #expect(left.count == limit && left.first?.time == .at(5))
  }
}
